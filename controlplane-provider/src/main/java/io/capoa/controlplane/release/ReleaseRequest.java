package io.capoa.controlplane.release;

import org.jspecify.annotations.Nullable;

/**
 * A request to resolve a release image.
 *
 * @param image reference by tag or digest; text that is no reference is answered, not thrown
 * @param access how registries are reached for this cluster, before the manager's own ways; {@code null} where the
 *     cluster does not say
 */
public record ReleaseRequest(
        String image, PullSecret pullSecret, @Nullable RegistryAccess access) {

    public static ReleaseRequest of(String image, PullSecret pullSecret) {
        return new ReleaseRequest(image, pullSecret, null);
    }
}
