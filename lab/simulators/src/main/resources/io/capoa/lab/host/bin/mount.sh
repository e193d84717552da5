#!/bin/bash
# Stand-in for mount on a simulated host: mounts the config drive by its label, and nothing else.
set -euo pipefail
case "${1:-} ${2:-}" in
"-L config-2" | "--label config-2") ;;
*)
    echo "mount: only the config drive can be mounted on a simulated host, by -L config-2" >&2
    exit 1
    ;;
esac
[ -d "$CAPOA_CONFIG_DRIVE" ] || {
    echo "mount: no device has label config-2" >&2
    exit 1
}
cp -R "$CAPOA_CONFIG_DRIVE/." "${*: -1}/"
