#!/bin/bash
# Leaves the file by which Cluster API's bootstrap contract tells a host that came up from one that did not.
set -euo pipefail

root="${CAPOA_ROOT:-}"
deadline=$((SECONDS + ${CAPOA_WAIT_SECONDS:-600}))

until systemctl is-active --quiet kubelet.service; do
    if ((SECONDS >= deadline)); then
        echo "Gave up waiting for the kubelet" >&2
        exit 1
    fi
    echo "Waiting for the kubelet"
    sleep "${CAPOA_POLL_SECONDS:-10}"
done

if [[ -e $root/etc/capoa/post-bootstrap-commands ]]; then
    sentinel_dir="$root$(<"$root/etc/capoa/sentinel-dir")"
    if [[ ! -e $sentinel_dir/post-bootstrap.done ]]; then
        echo "The post-bootstrap commands have not succeeded" >&2
        exit 1
    fi
fi
mkdir -p "$root/run/cluster-api"
touch "$root/run/cluster-api/bootstrap-success.complete"
