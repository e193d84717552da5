package io.capoa.lab.assisted;

/** State of a cluster; {@code status.debugInfo.state} of an AgentClusterInstall. */
enum ClusterState {
    INSUFFICIENT("insufficient", "Cluster is not ready for install"),
    PENDING_FOR_INPUT("pending-for-input", "User input required"),
    READY("ready", "Cluster ready to be installed"),
    PREPARING("preparing-for-installation", "Preparing cluster for installation"),
    INSTALLING("installing", "Installation in progress"),
    FINALIZING("finalizing", "Finalizing cluster installation"),
    ADDING_HOSTS("adding-hosts", "Cluster is installed"),
    ERROR("error", "cluster has hosts in error");

    private final String word;
    private final String info;

    ClusterState(String word, String info) {
        this.word = word;
        this.info = info;
    }

    String word() {
        return word;
    }

    String info() {
        return info;
    }

    /** Whether unknown hosts may register (assisted-service, {@code AcceptRegistration}). */
    boolean takesNewHosts() {
        return this == INSUFFICIENT || this == READY || this == PENDING_FOR_INPUT || this == ADDING_HOSTS;
    }

    /** Whether the installation has started, also if it has ended or failed. */
    boolean isStarted() {
        return compareTo(PREPARING) >= 0;
    }
}
