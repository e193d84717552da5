#!/bin/bash
# Writes the config drive's metadata as METADATA_<KEY>=<value> lines, which the other capoa scripts read.
#
# The password and the random seed of an OpenStack config drive stay out, because every user of the host can read the file.
# Control characters become spaces, so that no value can start a line of its own. Metal3 writes strings only; numbers
# appear as jq prints them. jq is part of RHCOS, and so of the discovery image and of the installed host.
# For tests, CAPOA_ROOT prefixes the path that is written, and CAPOA_CONFIG_DRIVE names a mounted config drive.
set -euo pipefail
export LC_ALL=C.UTF-8

root="${CAPOA_ROOT:-}"
env_file="$root/etc/metadata_env"

# Prints a METADATA_ line for every top-level key of the JSON object in the file $1.
print_metadata() {
    jq --null-input --raw-output '
        input
        | if type == "object" then to_entries[] else error("not an object") end
        | .key |= (ascii_upcase | gsub("[^A-Z0-9_]"; "_"))
        | select(.key != "ADMIN_PASS" and .key != "RANDOM_SEED")
        | .value |= (if . == null then "" else tostring end | gsub("[\\p{Cc}\u2028\u2029]"; " "))
        | "METADATA_\(.key)=\(.value)"' "$1"
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
if ! metadata="$(print_metadata "$source_file")"; then
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
