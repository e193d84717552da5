package io.capoa.lab.cluster;

import org.jspecify.annotations.Nullable;

/** The lab or its API server cannot be started; the message is for the user and says what to do. */
public class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
