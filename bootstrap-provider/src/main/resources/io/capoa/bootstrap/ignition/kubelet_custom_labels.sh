#!/bin/bash
# Hands node labels and the provider ID to the kubelet: /etc/kubernetes/kubelet-env for its unit, /run/kubelet-provider-id
# for inject-provider-id. What to hand over is read from /etc/capoa; the lines of before are replaced, so that a boot
# more changes nothing. A label or provider ID that cannot be right is left out with a message: the host boots on.
set -euo pipefail

root="${CAPOA_ROOT:-}"
expand="$root/usr/local/bin/capoa-expand-metadata"
labels_file="$root/etc/capoa/kubelet-labels"
provider_id_file="$root/etc/capoa/provider-id"
kubelet_env="$root/etc/kubernetes/kubelet-env"
run_file="$root/run/kubelet-provider-id"

label_value='^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$'
provider_id_value='^[A-Za-z0-9._:/@%+=,~-]+$'

labels=""
if [[ -r $labels_file ]]; then
    while IFS= read -r line || [[ -n $line ]]; do
        key="${line%%=*}"
        if [[ -z $key || $line != *=* ]]; then
            continue
        fi
        if ! value="$("$expand" <<<"${line#*=}")"; then
            echo "Label $key is left out: its value is not known" >&2
        elif [[ ! $value =~ $label_value ]]; then
            echo "Label $key is left out: its value is not one that a label can have" >&2
        else
            labels+="${labels:+,}$key=$value"
        fi
    done <"$labels_file"
fi

provider_id=""
if [[ -r $provider_id_file ]]; then
    if ! provider_id="$("$expand" <"$provider_id_file")"; then
        echo "The provider ID is left out: it is not known" >&2
        provider_id=""
    elif [[ ! $provider_id =~ $provider_id_value ]]; then
        echo "The provider ID is left out: it is empty or has characters that a provider ID cannot have" >&2
        provider_id=""
    fi
fi

mkdir -p "${kubelet_env%/*}" "${run_file%/*}"
written="$(mktemp "$kubelet_env.XXXXXX")"
if [[ -r $kubelet_env ]]; then
    grep -v -e '^CUSTOM_KUBELET_LABELS=' -e '^KUBELET_PROVIDERID=' "$kubelet_env" >"$written" || true
fi
if [[ -n $labels ]]; then
    printf 'CUSTOM_KUBELET_LABELS=%s\n' "$labels" >>"$written"
fi
if [[ -n $provider_id ]]; then
    printf 'KUBELET_PROVIDERID=%s\n' "$provider_id" >>"$written"
    printf '%s\n' "$provider_id" >"$run_file"
fi
chmod 0644 "$written"
mv -f "$written" "$kubelet_env"
