package io.capoa.lab.cluster;

import org.jspecify.annotations.Nullable;

/** A test cluster cannot be had; the message is a sentence for the person at the terminal and says what to do. */
public final class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
