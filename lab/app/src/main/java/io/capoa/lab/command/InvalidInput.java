package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import org.jspecify.annotations.Nullable;

/** What the user has given cannot be used: a file or an object in it. The message names it and says what is wrong. */
final class InvalidInput extends ClusterException {

    private static final long serialVersionUID = 1L;

    InvalidInput(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
