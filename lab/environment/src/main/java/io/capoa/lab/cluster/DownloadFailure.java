package io.capoa.lab.cluster;

import org.jspecify.annotations.Nullable;

/** A release file was not downloaded. */
final class DownloadFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean connection;

    private DownloadFailure(String message, boolean connection, @Nullable Throwable cause) {
        super(message, cause);
        this.connection = connection;
    }

    /** The publisher has answered, but this file cannot be used. */
    static DownloadFailure ofFile(String message) {
        return new DownloadFailure(message, false, null);
    }

    /** The publisher does not answer, or stops sending: other files would take as long to fail. */
    static DownloadFailure ofConnection(String message, @Nullable Throwable cause) {
        return new DownloadFailure(message, true, cause);
    }

    boolean isConnection() {
        return connection;
    }
}
