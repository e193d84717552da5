package io.capoa.controlplane.upgrade;

import io.capoa.runtime.status.Blocker;

/** What the registry says about the image of a release that the cluster's update service does not offer. */
public sealed interface TargetImage {

    /** The registry has not answered, or has not been asked. */
    record Pending() implements TargetImage {}

    /** The image by digest. */
    record Known(String image) implements TargetImage {}

    /** The registry does not have it, or cannot be asked. */
    record Unavailable(Blocker blocker) implements TargetImage {}
}
