#!/bin/bash
# Functions that the scripts of the clouds share: read the metadata service, and hand what it answers to the other scripts.
#
# Answers are data: they are held in quoted variables and files, and never run. Requests go to the link-local address of
# the service without a proxy, do not follow redirects, and are repeated until CAPOA_WAIT_SECONDS have passed in all.
# For tests, CAPOA_ROOT prefixes the paths of the host, and CAPOA_METADATA_URL names another service.
set -euo pipefail

root="${CAPOA_ROOT:-}"
service="${CAPOA_METADATA_URL:-http://169.254.169.254}"
deadline=$((SECONDS + ${CAPOA_WAIT_SECONDS:-300}))
largest=262144
longest_pause=16

work="$(mktemp -d)"
answer="$work/answer"
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

# Sends one request and puts the body into the file $answer. Headers go through a pipe: they may hold a token.
request() {
    local method="$1" path="$2" header
    shift 2
    for header in "$@"; do
        printf 'header = "%s"\n' "$header"
    done | curl --disable --config - --silent --noproxy '*' --proto '=http' --ipv4 --request "$method" \
        --connect-timeout 5 --max-time 10 --write-out '%{stderr}%{http_code}' --url "$service$path" \
        2>"$work/status" | head --bytes=$((largest + 1)) >"$answer"
}

# fetch METHOD PATH [HEADER...]: repeats the request until the file $answer has the body of a complete answer.
fetch() {
    local pause="${CAPOA_POLL_SECONDS:-1}" status complete why
    while true; do
        complete=true
        request "$@" || complete=false
        if (($(stat --format=%s "$answer") > largest)); then
            fail "The answer of the metadata service to $1 $2 has more than $largest bytes: it is not used"
        fi
        status="$(<"$work/status")"
        case "$status" in
            200)
                if [[ $complete == true ]]; then
                    return 0
                fi
                why="it broke its answer off"
                ;;
            400 | 401 | 403 | 405) fail "The metadata service refuses $1 $2 with status $status" ;;
            000 | '') why="it does not answer" ;;
            *) why="it answers with status $status" ;;
        esac
        if ((SECONDS + pause >= deadline)); then
            fail "Gave up waiting for the metadata service, $1 $2: $why"
        fi
        echo "Waiting for the metadata service, $1 $2: $why" >&2
        sleep "$pause"
        pause=$((pause * 2 < longest_pause ? pause * 2 : longest_pause))
    done
}

# Prints the answer, which has to be one line of at most 1024 printable characters; $1 is what it is.
text() {
    local line
    line="$(tr -d '\0' <"$answer")"
    if [[ ! $line =~ ^[[:print:]]+$ ]] || ((${#line} > 1024)); then
        fail "The metadata service answers with something else than the $1"
    fi
    printf '%s\n' "$line"
}

# Prints the string that the filter $1 finds in the answer, a JSON object, or ends the script where there is none.
field() {
    local value
    value="$(optional "$1")"
    if [[ -z $value ]]; then
        fail "The answer of the metadata service has no ${1#.}"
    fi
    printf '%s\n' "$value"
}

# Prints the string that the filter $1 finds in the answer, a JSON object, or nothing.
optional() {
    if ! jq --null-input --raw-output "input | if type == \"object\" then $1 // \"\" else error(\"no object\") end
            | if type == \"string\" then . else error(\"no string\") end" "$answer" 2>/dev/null; then
        fail "The answer of the metadata service is no JSON object with a text for ${1#.}"
    fi
}

# write_metadata [KEY VALUE]...: adds these to the JSON object of the standard input, and writes the result to
# /etc/metadata_env. That is done by the script of the config drive, so that values are written in one way only.
write_metadata() {
    mkdir -p "$work/drive/openstack/latest"
    jq '. + ($ARGS.positional | [range(0; length; 2) as $i | {(.[$i]): .[$i + 1]}] | add // {})' --args "$@" \
        >"$work/drive/openstack/latest/meta_data.json"
    CAPOA_CONFIG_DRIVE="$work/drive" "$root/usr/local/bin/configdrive_metadata"
}
