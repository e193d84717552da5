#!/bin/bash
# Runs the user's commands of /etc/capoa/post-bootstrap-commands once, when the API answers and knows this node.
# When one fails nothing is marked as done, and all run again at the next boot.
set -euo pipefail

root="${CAPOA_ROOT:-}"
sentinel_dir="$root$(<"$root/etc/capoa/sentinel-dir")"
kubeconfig="$root$(<"$root/etc/capoa/kubeconfig-path")"
deadline=$((SECONDS + ${CAPOA_WAIT_SECONDS:-600}))

# Polls the command $2... until it succeeds; $1 says what is waited for.
wait_for() {
    local what="$1"
    shift
    until "$@" >/dev/null 2>&1; do
        if ((SECONDS >= deadline)); then
            echo "Gave up waiting for $what" >&2
            exit 1
        fi
        echo "Waiting for $what"
        sleep "${CAPOA_POLL_SECONDS:-10}"
    done
}

wait_for "the API to be ready" kubectl --kubeconfig "$kubeconfig" get --raw /readyz
node="$(hostname)"
wait_for "node ${node,,} to be registered" kubectl --kubeconfig "$kubeconfig" get node "${node,,}"

bash -euo pipefail "$root/etc/capoa/post-bootstrap-commands"

mkdir -p "$sentinel_dir"
touch "$sentinel_dir/post-bootstrap.done"
