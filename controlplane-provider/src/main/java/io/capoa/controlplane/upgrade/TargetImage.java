package io.capoa.controlplane.upgrade;

import io.capoa.runtime.status.Blocker;

/** What the registry says about the image of the wanted release. */
public sealed interface TargetImage {

    /** The registry has not answered, or has not been asked. */
    record Resolving() implements TargetImage {}

    /**
     * The registry has it.
     *
     * @param image by digest
     * @param kubernetesVersion without a leading {@code v}
     */
    record Resolved(String image, String kubernetesVersion) implements TargetImage {}

    /** The registry does not have it, or cannot be asked. */
    record Unavailable(Blocker blocker) implements TargetImage {}
}
