package io.capoa.controlplane.controlplane;

import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.release.ReleaseRequest;
import org.jspecify.annotations.Nullable;

/** What is known of the release that is to be installed. */
sealed interface ReleaseState {

    /** Its digest and versions are known. */
    record Resolved(ResolvedRelease release) implements ReleaseState {}

    /** The registry is being asked. */
    record Resolving(ReleaseRequest request) implements ReleaseState {}

    /** The registry had no usable answer; it is asked again in time. */
    record Unavailable(String reason, String message) implements ReleaseState {}

    /** The release is known and not what {@code spec.version} asks for. */
    record Mismatch(ResolvedRelease release, String message) implements ReleaseState {}

    /**
     * The registry cannot be asked, for want of credentials.
     *
     * @param secret name of the Secret that is absent or unfit; {@code null} where the reference holds no name
     */
    record NoCredentials(@Nullable String secret, String reason, String message) implements ReleaseState {}

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
