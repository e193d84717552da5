#!/bin/bash
# Writes the metadata of an AWS EC2 instance to /etc/metadata_env. Requests carry a session token (IMDSv2); there is no
# fallback to requests without one.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=cloud_metadata.sh
source "${CAPOA_ROOT:-}/usr/local/lib/capoa/cloud_metadata.sh"

fetch PUT /latest/api/token "X-aws-ec2-metadata-token-ttl-seconds: 600"
token="$(text "session token")"
if [[ ! $token =~ ^[A-Za-z0-9+/=_.-]+$ ]]; then
    fail "The metadata service answers with something else than the session token"
fi
authorization="X-aws-ec2-metadata-token: $token"

fetch GET /latest/meta-data/local-hostname "$authorization"
# With several domains in the DHCP options there is a name for each.
hostname="$(text "host name")"
hostname="${hostname%% *}"

fetch GET /latest/dynamic/instance-identity/document "$authorization"
instance="$(field .instanceId)"
zone="$(field .availabilityZone)"
region="$(field .region)"
instance_type="$(optional .instanceType)"

write_metadata local-hostname "$hostname" instance-id "$instance" instance-type "$instance_type" \
    region "$region" zone "$zone" provider-id "aws:///$zone/$instance" <<<'{}'
