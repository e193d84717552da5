package io.capoa.api.rules.node;

/** Says which setting of a config cannot reach its node and what to write instead; fit for a condition. */
public final class InvalidNodeRegistrationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidNodeRegistrationException(String message) {
        super(message);
    }
}
