#!/bin/bash
# Writes the metadata of an Azure virtual machine to /etc/metadata_env.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=cloud_metadata.sh
source "${CAPOA_ROOT:-}/usr/local/lib/capoa/cloud_metadata.sh"

fetch GET "/metadata/instance/compute?api-version=2021-02-01&format=json" "Metadata: true"
hostname="$(field '(.osProfile.computerName // .name)')"
instance="$(field .vmId)"
region="$(field .location)"
number="$(optional .zone)"
instance_type="$(optional .vmSize)"
resource="$(field .resourceId)"

# The cloud controller manager writes the resource group in lower case, and compares letter by letter.
if [[ ! $resource =~ ^(/subscriptions/[^/]+/resourceGroups/)([^/]+)(/providers/.+)$ ]]; then
    fail "The answer of the metadata service has a resourceId that is none of a virtual machine"
fi
provider_id="azure://${BASH_REMATCH[1]}${BASH_REMATCH[2],,}${BASH_REMATCH[3]}"

zone=""
if [[ -n $number ]]; then
    zone="$region-$number"
fi
write_metadata local-hostname "$hostname" instance-id "$instance" instance-type "$instance_type" \
    region "$region" zone "$zone" provider-id "$provider_id" <<<'{}'
