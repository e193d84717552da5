#!/bin/bash
# Turns the config drive's metadata into METADATA_<KEY>=<value> lines, for the other capoa scripts to look things up in.
#
# The JSON is read with bash alone: this runs in the discovery image and on the installed host, and neither jq nor
# python is promised there. Control characters become spaces, so that no value can start a line of its own.
# CAPOA_ROOT prefixes the path that is written, CAPOA_CONFIG_DRIVE names a config drive that is mounted already: for tests.
set -euo pipefail
export LC_ALL=C.UTF-8

root="${CAPOA_ROOT:-}"
env_file="$root/etc/metadata_env"

whitespace=$' \t\r\n'
string_token='^"[^"\\]*(\\.[^"\\]*)*"'
scalar_token='^(true|false|null|-?[0-9][0-9.eE+-]*)'
rest=""
token=""
text=""

next_token() {
    rest="${rest#"${rest%%[!"$whitespace"]*}"}"
    if [[ $rest =~ $string_token || $rest =~ $scalar_token ]]; then
        token="${BASH_REMATCH[0]}"
    else
        token="${rest:0:1}"
    fi
    rest="${rest:${#token}}"
}

# The four hex digits of a \u escape at the start of $1, as a number in $code; a surrogate pair counts as one.
code_point() {
    code=$((16#${1:2:4}))
    taken=6
    if ((code >= 0xD800 && code <= 0xDBFF)) && [[ ${1:6:6} =~ ^\\u[dD][c-fC-F][0-9a-fA-F]{2}$ ]]; then
        code=$((0x10000 + ((code - 0xD800) << 10) + 16#${1:8:4} - 0xDC00))
        taken=12
    fi
}

# Decodes the string token $1 into $text.
decode() {
    local raw="${1:1:${#1}-2}" plain char
    local -i code=0 taken=0
    text=""
    while [[ $raw == *\\* ]]; do
        plain="${raw%%\\*}"
        raw="${raw:${#plain}}"
        taken=2
        case "${raw:1:1}" in
            b | f | n | r | t) char=" " ;;
            u)
                if [[ ! ${raw:2:4} =~ ^[0-9a-fA-F]{4}$ ]]; then
                    return 1
                fi
                code_point "$raw"
                char=" "
                if ((code >= 0x20)); then
                    printf -v char '%b' "$(printf '\\U%08x' "$code")"
                fi
                ;;
            *) char="${raw:1:1}" ;;
        esac
        text+="$plain$char"
        raw="${raw:taken}"
    done
    text+="$raw"
    text="${text//[[:cntrl:]]/ }"
}

# Reads the object or array that opens with $token into $text, without the white space between its tokens.
read_nested() {
    local -i depth=0
    text=""
    while :; do
        case "$token" in
            "{" | "[") depth+=1 ;;
            "}" | "]") depth+=-1 ;;
            "") return 1 ;;
        esac
        text+="$token"
        if ((depth == 0)); then
            break
        fi
        next_token
    done
    text="${text//[[:cntrl:]]/ }"
}

# Prints a METADATA_ line for every top-level key of the JSON object in $1.
print_metadata() {
    local key
    rest="$1"
    next_token
    [[ $token == "{" ]] || return 1
    next_token
    while [[ $token != "}" ]]; do
        [[ $token == \"* ]] || return 1
        decode "$token" || return 1
        key="${text^^}"
        key="${key//[!A-Z0-9_]/_}"
        next_token
        [[ $token == ":" ]] || return 1
        next_token
        case "$token" in
            \"*) decode "$token" || return 1 ;;
            "{" | "[") read_nested || return 1 ;;
            null) text="" ;;
            "" | "}" | "]" | "," | ":") return 1 ;;
            *) text="$token" ;;
        esac
        printf 'METADATA_%s=%s\n' "$key" "$text"
        next_token
        if [[ $token == "," ]]; then
            next_token
        elif [[ $token != "}" ]]; then
            return 1
        fi
    done
}

mounted=""
release() {
    if [[ -n $mounted ]]; then
        umount "$mounted" || true
        rmdir "$mounted" || true
    fi
}
trap release EXIT

drive="${CAPOA_CONFIG_DRIVE:-}"
if [[ -z $drive ]]; then
    device="$(blkid -t LABEL=config-2 -o device | head -n 1 || true)"
    if [[ -z $device ]]; then
        echo "No config drive: there is no metadata, and nothing will be derived from it"
        exit 0
    fi
    drive="$(mktemp -d)"
    mount -o ro "$device" "$drive"
    mounted="$drive"
fi

source_file="$drive/openstack/latest/meta_data.json"
if [[ ! -r $source_file ]]; then
    echo "The config drive has no openstack/latest/meta_data.json: there is no metadata"
    exit 0
fi
if ! metadata="$(print_metadata "$(<"$source_file")")"; then
    echo "openstack/latest/meta_data.json on the config drive is not a JSON object" >&2
    exit 1
fi

mkdir -p "${env_file%/*}"
written="$(mktemp "$env_file.XXXXXX")"
if [[ -n $metadata ]]; then
    LC_ALL=C sort -u <<<"$metadata" >"$written"
fi
chmod 0644 "$written"
mv -f "$written" "$env_file"
