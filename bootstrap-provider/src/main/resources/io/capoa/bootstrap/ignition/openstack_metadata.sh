#!/bin/bash
# Writes the metadata of an OpenStack server to /etc/metadata_env: the keys that a config drive has, and those that the
# other clouds have.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=cloud_metadata.sh
source "${CAPOA_ROOT:-}/usr/local/lib/capoa/cloud_metadata.sh"

fetch GET /openstack/latest/meta_data.json
instance="$(field .uuid)"
name="$(field .name)"
zone="$(optional .availability_zone)"

write_metadata local-hostname "$name" instance-id "$instance" zone "$zone" provider-id "openstack:///$instance" \
    <"$answer"
