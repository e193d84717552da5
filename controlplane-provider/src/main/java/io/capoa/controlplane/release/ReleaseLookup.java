package io.capoa.controlplane.release;

import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
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

    /** Why a release cannot be resolved; each is a reason of conditions. */
    enum Reason {
        /** The registry has no such image. */
        RELEASE_IMAGE_NOT_FOUND(ControlPlaneConditions.RELEASE_IMAGE_NOT_FOUND),
        /** The registry does not answer, or not in time, or with an error of its own. */
        RELEASE_REGISTRY_UNREACHABLE(ControlPlaneConditions.RELEASE_REGISTRY_UNREACHABLE),
        /** The registry does not accept the pull secret, or the pull secret cannot be read. */
        RELEASE_REGISTRY_UNAUTHORIZED(ControlPlaneConditions.RELEASE_REGISTRY_UNAUTHORIZED),
        /** The reference is no image reference, or the image is not a release image. */
        RELEASE_IMAGE_INVALID(ControlPlaneConditions.RELEASE_IMAGE_INVALID);

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
