#!/bin/bash
# Runs the user's commands of /etc/capoa/pre-bootstrap-commands once, before the kubelet starts for the first time, in a
# boot in which the machine-config first boot is over (the unit sees to that).
# When one fails nothing is marked as done, and all run again at the next boot.
set -euo pipefail

root="${CAPOA_ROOT:-}"
sentinel_dir="$root$(<"$root/etc/capoa/sentinel-dir")"

bash -euo pipefail "$root/etc/capoa/pre-bootstrap-commands"

mkdir -p "$sentinel_dir"
touch "$sentinel_dir/pre-bootstrap.done"
