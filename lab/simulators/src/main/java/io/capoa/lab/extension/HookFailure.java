package io.capoa.lab.extension;

/** A hook that was not answered, or answered with a failure; the caller repeats its reconcile. */
public final class HookFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    HookFailure(String message) {
        super(message);
    }
}
