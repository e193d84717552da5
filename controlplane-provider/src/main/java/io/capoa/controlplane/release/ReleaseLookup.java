package io.capoa.controlplane.release;

import java.time.Instant;

/** Current result of a release lookup. */
public sealed interface ReleaseLookup {

    /** The release is resolved. */
    record Known(Release release) implements ReleaseLookup {}

    /** The registry is being asked; the listeners are called with the answer. */
    record Pending() implements ReleaseLookup {}

    /**
     * The registry gave no answer that can be used.
     *
     * @param message names image, registry and remedy; the same failure gives the same message each time
     * @param retryAt when the registry is asked again, automatically; {@link Instant#MAX} if only a
     *     change of the request can help
     */
    record Failed(Reason reason, String message, Instant retryAt) implements ReleaseLookup {}

    /** Why a release cannot be resolved; the names serve as condition reasons. */
    enum Reason {
        /** The registry has no such image. */
        RELEASE_IMAGE_NOT_FOUND("ReleaseImageNotFound"),
        /** The registry does not answer, or not in time, or with an error of its own. */
        RELEASE_REGISTRY_UNREACHABLE("ReleaseRegistryUnreachable"),
        /** The registry does not accept the pull secret, or the pull secret cannot be read. */
        RELEASE_REGISTRY_UNAUTHORIZED("ReleaseRegistryUnauthorized"),
        /** The reference is no image reference, or the image is not a release image. */
        RELEASE_IMAGE_INVALID("ReleaseImageInvalid");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** The condition reason. */
        @Override
        public String toString() {
            return text;
        }
    }
}
