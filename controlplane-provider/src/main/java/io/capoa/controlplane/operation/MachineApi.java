package io.capoa.controlplane.operation;

import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.workload.EtcdState;
import org.jspecify.annotations.Nullable;

/**
 * Control planes whose cluster has a functional Machine API of its own, as on platform baremetal with capability MachineAPI.
 * Its etcd operator adds only hosts with a Machine there, and nothing makes one after the installation.
 */
final class MachineApi {

    private static final String REMEDY =
            ("the cluster's own Machine API is functional, and its etcd operator ignores a host without a Machine there:"
                    + " create a Machine and a BareMetalHost for the new host in namespace openshift-machine-api first");

    private MachineApi() {}

    /** The action, but no creation of a Machine whose host would never become a member. */
    static Action joining(Situation situation, @Nullable EtcdState etcd, Action action) {
        return action instanceof Action.Create && isInTheWay(situation, etcd) ? new Action.Wait(REMEDY) : action;
    }

    /** Why a Machine cannot be replaced; {@code null} if it can. */
    static @Nullable String replacing(Situation situation, @Nullable EtcdState etcd) {
        return isInTheWay(situation, etcd) ? REMEDY : null;
    }

    private static boolean isInTheWay(Situation situation, @Nullable EtcdState etcd) {
        return etcd != null && etcd.ignoresNewHost(situation.machines().size());
    }
}
