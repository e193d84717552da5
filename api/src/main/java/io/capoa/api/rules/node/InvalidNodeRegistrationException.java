package io.capoa.api.rules.node;

/** A node setting of a config is invalid; the message, which conditions show, names it and the correction. */
public final class InvalidNodeRegistrationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidNodeRegistrationException(String message) {
        super(message);
    }
}
