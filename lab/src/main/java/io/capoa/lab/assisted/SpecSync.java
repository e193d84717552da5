package io.capoa.lab.assisted;

/** Whether the service took over what a spec says; condition {@code SpecSynced}. */
record SpecSync(String reason, String message) {

    static final SpecSync OK = new SpecSync("SyncOK", "SyncOK");

    /** Whoever wrote the spec has to change it. */
    static SpecSync inputError(String message) {
        return new SpecSync("InputError", "The Spec could not be synced due to an input error: " + message);
    }

    /** The service could not do it, and tries again. */
    static SpecSync backendError(String message) {
        return new SpecSync("BackendError", "The Spec could not be synced due to backend error: " + message);
    }

    boolean isBackendError() {
        return reason.equals("BackendError");
    }

    boolean isOk() {
        return reason.equals(OK.reason);
    }
}
