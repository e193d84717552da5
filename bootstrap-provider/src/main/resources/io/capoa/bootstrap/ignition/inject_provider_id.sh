#!/bin/bash
# Starts the kubelet with --provider-id where its unit does not do so by itself, by a drop-in that repeats the unit's
# command line. Our own drop-in of an earlier boot does not count as the unit's command line.
set -euo pipefail

root="${CAPOA_ROOT:-}"
run_file="$root/run/kubelet-provider-id"
drop_in_name="/etc/systemd/system/kubelet.service.d/20-provider-id.conf"
drop_in="$root$drop_in_name"

provider_id=""
if [[ -r $run_file ]]; then
    provider_id="$("$root/usr/local/bin/capoa-expand-metadata" <"$run_file")"
fi
if [[ -z $provider_id ]]; then
    echo "There is no provider ID to set"
    exit 0
fi
if [[ ! $provider_id =~ ^[A-Za-z0-9._:/@%+=,~-]+$ ]]; then
    echo "The provider ID has characters that a provider ID cannot have" >&2
    exit 1
fi

# The last ExecStart= counts; lines that end in a backslash go on in the next one.
command_line=""
ours=false
joined=""
while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line == "# /"* ]]; then
        ours=false
        if [[ $line == *"$drop_in_name" ]]; then
            ours=true
        fi
        continue
    fi
    if [[ $line == *\\ ]]; then
        joined+="${line%\\} "
        continue
    fi
    joined+="$line"
    if [[ $ours == false && $joined == ExecStart=* ]]; then
        command_line="${joined#ExecStart=}"
    fi
    joined=""
done < <(systemctl cat kubelet.service)

if [[ -z $command_line ]]; then
    echo "kubelet.service has no ExecStart" >&2
    exit 1
fi
if [[ $command_line == *--provider-id* ]]; then
    echo "The kubelet's unit sets --provider-id itself"
    exit 0
fi

content="[Service]
ExecStart=
ExecStart=$command_line --provider-id=\"${provider_id//%/%%}\""
if [[ -r $drop_in && "$(<"$drop_in")" == "$content" ]]; then
    exit 0
fi
mkdir -p "${drop_in%/*}"
printf '%s\n' "$content" >"$drop_in"
chmod 0644 "$drop_in"
systemctl daemon-reload
