package io.capoa.api.conversion;

/** An object cannot be converted; the message is a sentence for its author and holds nothing of its content. */
public final class UnconvertibleException extends Exception {

    UnconvertibleException(String message) {
        super(message);
    }
}
