package io.capoa.bootstrap.boot;

import java.time.Instant;
import okio.ByteString;

/** State of the download of a host's discovery ignition. */
public sealed interface Download {

    /** Nothing has been asked for: the address is not known, or the bootstrap data exists. */
    record None() implements Download {}

    /** On its way; the config is reconciled when it ends. */
    record Pending() implements Download {}

    /** Here, and an Ignition configuration that can be used. */
    record Known(ByteString ignition) implements Download {}

    /**
     * Failed, and tried again at that time without further ado.
     *
     * @param reason one of the config's condition reasons
     * @param message for people, without the token of the URL
     */
    record Failed(String reason, String message, Instant retryAt) implements Download {}
}
