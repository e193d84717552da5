package io.capoa.controlplane.workload.upgrade;

/**
 * What the machine-config operator of a workload cluster has done to a Node.
 *
 * @param unreachable why the cluster's API gave no answer, for users; empty if it did
 * @param exists whether there is a Node of that name
 * @param kubelet version that its kubelet reports; empty before it does
 * @param settled whether the operator reports the Node's configuration as applied
 * @param failure why the operator cannot update the Node, quoted; empty if it can
 * @param pausedPool name of a paused MachineConfigPool that selects the Node; empty if none does
 */
public record NodeUpdate(
        String unreachable, boolean exists, String kubelet, boolean settled, String failure, String pausedPool) {

    /** An API that gave no answer. */
    public static NodeUpdate unreachable(String why) {
        return new NodeUpdate(why, false, "", false, "", "");
    }

    /** A Node that the cluster does not have. */
    public static NodeUpdate missing() {
        return new NodeUpdate("", false, "", false, "", "");
    }
}
