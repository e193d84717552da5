#!/bin/bash
# Stand-in for systemctl on a simulated host: shows units and records the rest.
set -euo pipefail
printf '%s\n' "$*" >>"$CAPOA_ROOT/run/systemctl.log"
units="$CAPOA_ROOT/etc/systemd/system"
case "${1:-}" in
cat)
    unit="${*: -1}"
    [[ "$unit" == *.* ]] || unit="$unit.service"
    cat "$units/$unit"
    if [[ -d "$units/$unit.d" ]]; then
        cat "$units/$unit.d"/*.conf
    fi
    ;;
is-active)
    echo active
    ;;
esac
