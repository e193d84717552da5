package io.capoa.lab.upgrade;

import java.util.Optional;

/**
 * Spec of a ClusterVersion.
 *
 * @param generation of the object
 * @param upstream URL of the update service; empty for the default
 * @param desired empty if no update is requested
 * @param overridden whether an override makes an object unmanaged
 */
public record ClusterVersionSpec(
        int generation,
        String clusterId,
        String channel,
        String upstream,
        Optional<UpdateRequest> desired,
        boolean overridden) {}
