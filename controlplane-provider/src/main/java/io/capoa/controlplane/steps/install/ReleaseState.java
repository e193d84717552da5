package io.capoa.controlplane.steps.install;

import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.release.ReleaseRequest;
import io.capoa.runtime.status.Blocker;
import org.jspecify.annotations.Nullable;

/** What is known of the release to install. */
public sealed interface ReleaseState {

    /** Its digest and versions are known. */
    record Resolved(ResolvedRelease release) implements ReleaseState {}

    /** The registry is being asked. */
    record Resolving(ReleaseRequest request) implements ReleaseState {}

    /** The registry gave no usable answer; it is asked again after a back-off. */
    record Unavailable(Blocker blocker) implements ReleaseState {}

    /** The release is known and does not match {@code spec.version}. */
    record Mismatch(ResolvedRelease release, String message) implements ReleaseState {}

    /**
     * Credentials for the registry are missing.
     *
     * @param secret name of the Secret that is missing or invalid; {@code null} if the reference is not a valid name
     */
    record NoCredentials(@Nullable String secret, Blocker blocker) implements ReleaseState {}

    /** The release if its digest and versions are known. */
    default @Nullable ResolvedRelease known() {
        return switch (this) {
            case Resolved resolved -> resolved.release();
            case Mismatch mismatch -> mismatch.release();
            case Resolving ignored -> null;
            case Unavailable ignored -> null;
            case NoCredentials ignored -> null;
        };
    }
}
