#!/bin/bash
# Stand-in for hostnamectl on a simulated host.
set -euo pipefail
printf '%s\n' "$*" >>"$CAPOA_ROOT/run/hostnamectl.log"
case "${1:-}" in
set-hostname | hostname)
    printf '%s\n' "${*: -1}" >"$CAPOA_ROOT/etc/hostname"
    ;;
esac
