package io.capoa.controlplane.workload.etcd;

import org.jspecify.annotations.Nullable;

/**
 * A control plane Machine of the workload cluster's own Machine API ({@code machine.openshift.io}), not of Cluster API.
 *
 * @param node name of its Node; {@code null} while it has none
 * @param running whether its phase is Running
 * @param deleting whether it is being deleted
 */
public record OpenshiftMachine(
        String name, String uid, @Nullable String node, boolean running, boolean deleting) {}
