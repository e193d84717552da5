#!/bin/bash
# Gives the host the name that its metadata holds in the variable that /etc/capoa/hostname names.
set -euo pipefail

root="${CAPOA_ROOT:-}"
host_name='^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$'

if ! name="$("$root/usr/local/bin/capoa-expand-metadata" <"$root/etc/capoa/hostname")" || [[ -z $name ]]; then
    echo "The hostname is left as it is: the metadata has none" >&2
    exit 0
fi
if [[ ! $name =~ $host_name ]]; then
    echo "The hostname is left as it is: the one in the metadata is not valid" >&2
    exit 0
fi
hostnamectl set-hostname "$name"
