#!/bin/bash
# Stand-in for tee on a simulated host: absolute paths are below its root.
set -euo pipefail
words=()
for word; do
    case "$word" in
    "$CAPOA_ROOT"/*) words+=("$word") ;;
    /*) words+=("$CAPOA_ROOT$word") ;;
    *) words+=("$word") ;;
    esac
done
exec /usr/bin/tee "${words[@]}"
