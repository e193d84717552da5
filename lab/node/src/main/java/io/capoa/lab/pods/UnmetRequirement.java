package io.capoa.lab.pods;

import java.io.Serial;

/** A prerequisite of a pod is missing; the pod waits and reports it. */
final class UnmetRequirement extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String reason;

    UnmetRequirement(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    Waiting waiting() {
        return new Waiting(reason, String.valueOf(getMessage()));
    }
}
