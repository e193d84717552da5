#!/bin/bash
# Stand-in for kubectl on a simulated host: the API is ready and knows the node.
set -euo pipefail
printf '%s\n' "$*" >>"$CAPOA_ROOT/run/kubectl.log"
echo ok
