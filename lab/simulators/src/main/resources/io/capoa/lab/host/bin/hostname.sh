#!/bin/bash
# Stand-in for hostname on a simulated host.
set -euo pipefail
cat "$CAPOA_ROOT/etc/hostname"
