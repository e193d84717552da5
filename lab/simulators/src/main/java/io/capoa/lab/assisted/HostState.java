package io.capoa.lab.assisted;

/** State of a host; {@code status.debugInfo.state} of an Agent. */
enum HostState {
    DISCOVERING("discovering", "Waiting for host to send hardware details"),
    INSUFFICIENT("insufficient", "Host cannot be installed due to following failing validation(s): "),
    /** Its agent has not called for a while, before the installation began. */
    DISCONNECTED("disconnected", "Host has stopped communicating with the installation service"),
    KNOWN("known", "Host is ready to be installed"),
    PREPARING("preparing-for-installation", "Host finished successfully to prepare for installation"),
    PREPARED("preparing-successful", "Host finished successfully to prepare for installation"),
    INSTALLING("installing", "Installation is in progress"),
    IN_PROGRESS("installing-in-progress", "Installation is in progress"),
    INSTALLED("installed", "Done"),
    ADDED("added-to-existing-cluster", "Done"),
    ERROR("error", "Host failed to install");

    private final String word;
    private final String info;

    HostState(String word, String info) {
        this.word = word;
        this.info = info;
    }

    String word() {
        return word;
    }

    String info() {
        return info;
    }

    /** Whether the host is validated at every change: it has an inventory, and its installation has not started. */
    boolean isChecked() {
        return this == KNOWN || this == INSUFFICIENT;
    }

    /** Whether the service awaits calls of the host's agent: it has registered, and its installation has not begun. */
    boolean isWatched() {
        return this == DISCOVERING || isChecked();
    }

    /** Whether the host is being installed. */
    boolean isInstalling() {
        return this == PREPARING || this == PREPARED || this == INSTALLING || this == IN_PROGRESS;
    }

    boolean isInstalled() {
        return this == INSTALLED || this == ADDED;
    }
}
