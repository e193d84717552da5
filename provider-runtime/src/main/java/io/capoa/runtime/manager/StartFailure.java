package io.capoa.runtime.manager;

/** The process cannot start; the message is a sentence for whoever started it. */
final class StartFailure extends RuntimeException {

    StartFailure(String message) {
        super(message);
    }

    StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
