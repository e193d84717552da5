package io.capoa.lab.assisted;

/** Result of accepting a spec; condition {@code SpecSynced}. */
record SpecSync(String reason, String message) {

    static final SpecSync OK = new SpecSync("SyncOK", "SyncOK");

    /** The user has to correct the spec. */
    static SpecSync inputError(String message) {
        return new SpecSync("InputError", "The Spec could not be synced due to an input error: " + message);
    }

    /** The service failed, and will retry. */
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
