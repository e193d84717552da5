package io.capoa.api.rules.node;

/** Says which Ignition configuration cannot be used and why; its message is fit for a condition. */
public final class InvalidIgnitionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidIgnitionException(String message) {
        super(message);
    }
}
