#!/bin/bash
# Stand-in for oc on a simulated host: the API is ready and knows the node.
set -euo pipefail
printf '%s\n' "$*" >>"$CAPOA_ROOT/run/oc.log"
echo ok
