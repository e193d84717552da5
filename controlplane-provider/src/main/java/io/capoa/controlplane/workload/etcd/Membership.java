package io.capoa.controlplane.workload.etcd;

import java.util.List;

/**
 * Nodes and Machines of a workload cluster's control plane.
 *
 * @param members of etcd, from a live list
 * @param nodes its control plane Nodes
 * @param pods its etcd pods that are ready, in which {@code etcdctl} can be run
 * @param machines the control plane Machines of its own Machine API
 */
public record Membership(
        List<EtcdMember> members, List<ClusterNode> nodes, List<EtcdPod> pods, List<OpenshiftMachine> machines) {

    /** An etcd pod and the node that it runs on. */
    public record EtcdPod(String name, String node) {}

    /**
     * Whether the Machine API is functional by the etcd operator's own rule: a control plane Machine has phase Running.
     * Only then does the operator remove members.
     */
    public boolean hasMachineApi() {
        return machines.stream().anyMatch(OpenshiftMachine::running);
    }

    /**
     * Whether the etcd operator would ignore one more host: with a functional Machine API it adds only Nodes that have a
     * Machine there, which assisted-service makes at installation alone.
     *
     * @param hosts number of hosts that the control plane has
     */
    public boolean ignoresNewHost(int hosts) {
        return hasMachineApi()
                && machines.stream().filter(machine -> !machine.deleting()).count() <= hosts;
    }
}
