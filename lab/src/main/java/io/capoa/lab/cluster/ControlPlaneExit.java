package io.capoa.lab.cluster;

/** A part of the control plane ended while it was starting. */
final class ControlPlaneExit extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean portTaken;

    ControlPlaneExit(ChildProcess.Exit exit) {
        super(exit.describe());
        this.portTaken = exit.lastLines().stream().anyMatch(line -> line.contains("address already in use"));
    }

    /** Whether another process took its port between choosing and using it. */
    boolean portTaken() {
        return portTaken;
    }
}
