package io.capoa.controlplane.extension;

import java.util.Locale;

/** A hook of Cluster API's Runtime SDK that this extension handles ({@code hooks.runtime.cluster.x-k8s.io/v1alpha1}). */
enum Hook {
    CAN_UPDATE_MACHINE_SET("CanUpdateMachineSet"),
    CAN_UPDATE_MACHINE("CanUpdateMachine"),
    UPDATE_MACHINE("UpdateMachine"),
    GENERATE_UPGRADE_PLAN("GenerateUpgradePlan");

    static final String API_VERSION = "hooks.runtime.cluster.x-k8s.io/v1alpha1";

    /** Path of the discovery, which has no handler name. */
    static final String DISCOVERY_PATH = "/" + API_VERSION + "/discovery";

    private final String title;

    Hook(String title) {
        this.title = title;
    }

    /** As in {@code requestHook.hook}, and as kinds begin. */
    String title() {
        return title;
    }

    /** Name of the one handler, a DNS label. */
    String handler() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Path that Cluster API posts requests to. */
    String path() {
        return "/" + API_VERSION + "/" + title.toLowerCase(Locale.ROOT) + "/" + handler();
    }
}
