package io.capoa.api.rules.node;

/** An Ignition configuration is unusable; conditions show the message, which names it and the reason. */
public final class InvalidIgnitionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidIgnitionException(String message) {
        super(message);
    }
}
