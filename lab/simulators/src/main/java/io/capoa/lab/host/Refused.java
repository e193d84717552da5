package io.capoa.lab.host;

/** A host cannot continue: its input is invalid, or its hardware failed. The message contains no secret. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
        super(message);
    }
}
