#!/bin/bash
# Writes the metadata of a Google Compute Engine instance to /etc/metadata_env. Only single values are read: the whole
# document would hold the user data.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=cloud_metadata.sh
source "${CAPOA_ROOT:-}/usr/local/lib/capoa/cloud_metadata.sh"

flavor="Metadata-Flavor: Google"
fetch GET /computeMetadata/v1/project/project-id "$flavor"
project="$(text "project")"
fetch GET /computeMetadata/v1/instance/id "$flavor"
instance="$(text "instance id")"
# The name of the instance, not its full host name: that is how the cloud controller manager finds the node.
fetch GET /computeMetadata/v1/instance/name "$flavor"
name="$(text "instance name")"
# Both are the end of a path, such as projects/1234/zones/europe-west3-a.
fetch GET /computeMetadata/v1/instance/zone "$flavor"
zone="$(text "zone")"
zone="${zone##*/}"
fetch GET /computeMetadata/v1/instance/machine-type "$flavor"
instance_type="$(text "machine type")"

write_metadata local-hostname "$name" instance-id "$instance" instance-type "${instance_type##*/}" \
    region "${zone%-*}" zone "$zone" provider-id "gce://$project/$zone/$name" <<<'{}'
