package io.capoa.lab.host;

/** Why a host does not go on: what it was given is wrong, or the hardware broke. The message holds no secret. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
        super(message);
    }
}
