package io.capoa.controlplane.release;

import java.io.Serial;

/** A registry gave no answer that can be used. */
final class RegistryException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    private final String reason;

    RegistryException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    RegistryException(String reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
