package io.capoa.controlplane.release;

/** Asks a registry which release an image is; blocks while it does. */
@FunctionalInterface
interface ReleaseResolver {

    /** Returns the release, in the repository that the image names. */
    Release resolve(ImageReference image, PullSecret pullSecret, RegistryAccess access)
            throws RegistryException, InterruptedException;
}
