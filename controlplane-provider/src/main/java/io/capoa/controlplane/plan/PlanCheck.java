package io.capoa.controlplane.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The kinds of findings of a plan. Their {@link #id} is part of the output and does not change. */
public enum PlanCheck {
    FILE_UNREADABLE,
    OBJECT_REFUSED,
    OBJECT_DOUBTFUL,
    OBJECT_OLDER_VERSION,
    REFERENCE_MISSING,
    CLUSTER_NAME,
    NETWORKS,
    POD_NETWORK_ROOM,
    VIRTUAL_IP_IN_USE,
    DNS_NAMES,
    RELEASE_NOT_ASKED,
    PULL_SECRET,
    REGISTRY_LOGIN,
    MIRRORS,
    CERTIFICATE,
    CONFIG_MAP_MISSING,
    MANIFESTS,
    CLOUD_CONTROLLER_MANAGER,
    HOSTS_NOT_GIVEN,
    HOSTS_TOO_FEW,
    SPARE_HOST,
    HOST_NOT_SETTLED,
    HOST_NOT_INSPECTED,
    HOST_CPU,
    HOST_MEMORY,
    HOST_DISK,
    HOST_ARCHITECTURE,
    HOST_MAC,
    HOST_NAME,
    NETWORK_SETTINGS,
    BOOT_IMAGE,
    BOOT_MEDIA;

    /** Names the kind in annotations and in JSON, such as {@code host-memory}. */
    @JsonValue
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
