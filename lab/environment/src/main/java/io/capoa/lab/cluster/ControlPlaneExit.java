package io.capoa.lab.cluster;

/** A control-plane process exited during the start. */
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
