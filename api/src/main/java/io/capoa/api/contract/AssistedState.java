package io.capoa.api.contract;

import java.util.Map;

/**
 * What assisted-service's states of clusters and hosts mean, in words for people: {@code insufficient} or
 * {@code adding-hosts} say nothing to who has not read its source. The only place that translates them; the states
 * themselves are in {@code status.debugInfo.state} of AgentClusterInstall and Agent.
 */
public final class AssistedState {

    private static final String NOT_READY = "not ready to install";
    private static final String SETTINGS = "waiting for settings";
    private static final String READY = "ready to install";
    private static final String PREPARING = "preparing";
    private static final String INSTALLING = "installing";
    private static final String ACTION = "waiting for you";
    private static final String INSTALLED = "installed";
    private static final String FAILED = "failed";
    private static final String CANCELLED = "cancelled";

    private static final Map<String, String> CLUSTER = Map.ofEntries(
            Map.entry("insufficient", NOT_READY),
            Map.entry("pending-for-input", SETTINGS),
            Map.entry("ready", READY),
            Map.entry("preparing-for-installation", PREPARING),
            Map.entry("installing", INSTALLING),
            Map.entry("installing-pending-user-action", ACTION),
            Map.entry("finalizing", "finalizing"),
            Map.entry("installed", INSTALLED),
            Map.entry("adding-hosts", INSTALLED),
            Map.entry("error", FAILED),
            Map.entry("cancelled", CANCELLED));

    private static final Map<String, String> HOST = Map.ofEntries(
            Map.entry("discovering", "being discovered"),
            Map.entry("known", READY),
            Map.entry("insufficient", NOT_READY),
            Map.entry("pending-for-input", SETTINGS),
            Map.entry("disconnected", "disconnected"),
            Map.entry("preparing-for-installation", PREPARING),
            Map.entry("preparing-successful", "prepared"),
            Map.entry("preparing-failed", "preparation failed"),
            Map.entry("installing", INSTALLING),
            Map.entry("installing-in-progress", INSTALLING),
            Map.entry("installing-pending-user-action", ACTION),
            Map.entry("installed", INSTALLED),
            Map.entry("added-to-existing-cluster", INSTALLED),
            Map.entry("error", FAILED),
            Map.entry("cancelled", CANCELLED),
            Map.entry("resetting", "being reset"),
            Map.entry("resetting-pending-user-action", ACTION),
            Map.entry("binding", "joining its cluster"),
            Map.entry("unbinding", "leaving its cluster"),
            Map.entry("unbinding-pending-user-action", ACTION),
            Map.entry("reclaiming", "leaving its cluster"),
            Map.entry("reclaiming-rebooting", "leaving its cluster"));

    private AssistedState() {}

    /** A cluster's state in words; one that is unknown is returned with spaces for its hyphens. */
    public static String ofCluster(String state) {
        return CLUSTER.getOrDefault(state, spaced(state));
    }

    /** A host's state in words, that of a host without a cluster too; one that is unknown as of {@link #ofCluster}. */
    public static String ofHost(String state) {
        return HOST.getOrDefault(state.replaceFirst("-unbound$", ""), spaced(state));
    }

    private static String spaced(String state) {
        return state.replace('-', ' ');
    }
}
