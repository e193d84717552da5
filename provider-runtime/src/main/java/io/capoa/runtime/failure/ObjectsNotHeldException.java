package io.capoa.runtime.failure;

/**
 * Objects that a decision needs are in no cache, because all of them together would take too much memory. It has no stack
 * trace: each attempt of each such object is logged, in a line, and the message says all.
 */
public final class ObjectsNotHeldException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message which objects, the limit, and the remedy */
    public ObjectsNotHeldException(String message) {
        super(message, null, false, false);
    }
}
