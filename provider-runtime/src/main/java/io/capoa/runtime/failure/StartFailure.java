package io.capoa.runtime.failure;

/** The process cannot start; the message is a sentence for the operator of the process. */
public final class StartFailure extends RuntimeException {

    public StartFailure(String message) {
        super(message);
    }

    public StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
