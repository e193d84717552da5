package io.capoa.controlplane.extension;

/** A request that cannot be answered; the message names the field, and is the same for the same request. */
final class InvalidRequest extends Exception {

    InvalidRequest(String message) {
        super(message);
    }
}
