package io.capoa.controlplane.release;

import java.io.Serial;

/** A registry gave no answer that can be used. */
final class RegistryException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final ReleaseLookup.Reason reason;

    RegistryException(ReleaseLookup.Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    RegistryException(ReleaseLookup.Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    ReleaseLookup.Reason reason() {
        return reason;
    }
}
