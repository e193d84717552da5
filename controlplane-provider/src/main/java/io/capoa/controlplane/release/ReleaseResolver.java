package io.capoa.controlplane.release;

import io.capoa.api.rules.ImageReference;

/** Resolves a release image with its registry; blocking. */
@FunctionalInterface
interface ReleaseResolver {

    /** Returns the release, in the repository that the image names. */
    Release resolve(ImageReference image, PullSecret pullSecret, RegistryAccess access)
            throws RegistryException, InterruptedException;
}
