package io.capoa.lab.assisted;

import java.util.List;

/** Stages of the installation of a host, by role. */
final class Stages {

    static final String STARTING = "Starting installation";
    static final String WRITING = "Writing image to disk";
    static final String WAITING_FOR_BOOTKUBE = "Waiting for bootkube";
    static final String REBOOTING = "Rebooting";
    static final String JOINED = "Joined";
    static final String DONE = "Done";
    static final String FAILED = "Failed";

    static final List<String> SINGLE_NODE =
            List.of(STARTING, "Installing", WAITING_FOR_BOOTKUBE, WRITING, REBOOTING, "Configuring", JOINED, DONE);
    static final List<String> BOOTSTRAP = List.of(
            STARTING,
            "Installing",
            WAITING_FOR_BOOTKUBE,
            WRITING,
            "Waiting for control plane",
            "Waiting for controller",
            REBOOTING,
            "Configuring",
            JOINED,
            DONE);
    static final List<String> MASTER = List.of(STARTING, "Installing", WRITING, REBOOTING, "Configuring", JOINED, DONE);
    static final List<String> WORKER =
            List.of(STARTING, "Installing", WRITING, REBOOTING, "Waiting for ignition", "Configuring", JOINED, DONE);
    static final List<String> ADDED_LATER = List.of(STARTING, "Installing", WRITING, REBOOTING, JOINED, DONE);

    private Stages() {}

    /** Progress of a host in percent; 0 before the first stage. */
    static int percent(List<String> stages, String current) {
        return (stages.indexOf(current) + 1) * 100 / Math.max(1, stages.size());
    }

    /** Whether a host may report {@code next} after {@code current}: never back, except on a single node before its reboot. */
    static boolean mayFollow(List<String> stages, String current, String next) {
        if (next.equals(FAILED)) {
            return true;
        }
        int to = stages.indexOf(next);
        int from = stages.indexOf(current);
        boolean unordered = stages.equals(SINGLE_NODE) && from < stages.indexOf(REBOOTING);
        return to >= 0 && (to >= from || unordered);
    }
}
