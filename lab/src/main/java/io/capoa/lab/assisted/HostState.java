package io.capoa.lab.assisted;

/** What a host is doing; {@code status.debugInfo.state} of an Agent. */
enum HostState {
    DISCOVERING("discovering", "Waiting for host to send hardware details"),
    INSUFFICIENT("insufficient", "Host cannot be installed due to following failing validation(s): "),
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

    /** Whether the host has said what it is and nothing has begun with it: it is checked again at every change. */
    boolean isChecked() {
        return this == KNOWN || this == INSUFFICIENT;
    }

    /** Whether the host takes part in an installation that has not ended. */
    boolean isInstalling() {
        return this == PREPARING || this == PREPARED || this == INSTALLING || this == IN_PROGRESS;
    }

    boolean isInstalled() {
        return this == INSTALLED || this == ADDED;
    }
}
