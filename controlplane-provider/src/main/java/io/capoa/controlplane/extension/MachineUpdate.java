package io.capoa.controlplane.extension;

import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.controlplane.workload.upgrade.NodeUpdate;
import java.util.Optional;

/**
 * The update of one Machine, as Cluster API wants and its cluster has it.
 *
 * @param machine namespace and name
 * @param target version to reach; empty if the Machine has none
 * @param controlPlane oldest version that the control plane's nodes run; empty if it is not known
 * @param nodeName name of its Node
 */
record MachineUpdate(
        String machine,
        Optional<KubernetesVersion> target,
        Optional<KubernetesVersion> controlPlane,
        String nodeName,
        NodeUpdate node) {

    static final int RETRY_SECONDS = 20;

    /** Answers UpdateMachine: done when the machine-config operator has brought the Node to the version or beyond. */
    HookResponse response() {
        if (!node.unreachable().isEmpty()) {
            return waiting("the API of its cluster cannot be read: " + node.unreachable());
        }
        if (!node.exists()) {
            return waiting("its cluster has no Node " + nodeName + ": check whether the host runs");
        }
        if (!node.failure().isEmpty()) {
            return waiting("the machine-config operator cannot update Node " + nodeName + " (" + node.failure()
                    + "): repair the node in its cluster");
        }
        Optional<KubernetesVersion> kubelet = KubernetesVersion.parse(node.kubelet());
        if (target.isPresent() && kubelet.isEmpty()) {
            return waiting("the kubelet of Node " + nodeName + " reports no version yet");
        }
        if (target.isPresent() && kubelet.get().compareTo(target.get()) < 0) {
            return behind(kubelet.get(), target.get());
        }
        return node.settled() ? HookResponse.success() : waiting(paused().orElse(applying()));
    }

    private HookResponse behind(KubernetesVersion kubelet, KubernetesVersion wanted) {
        if (controlPlane.isPresent() && controlPlane.get().compareTo(wanted) < 0) {
            return waiting("the control plane runs " + controlPlane.get() + ", before " + wanted
                    + ": upgrade it by its spec.distributionVersion, the workers follow");
        }
        return waiting(paused().orElse("Node " + nodeName + " runs " + kubelet + ", the machine-config operator updates"
                + " it to " + wanted));
    }

    private Optional<String> paused() {
        return node.pausedPool().isEmpty()
                ? Optional.empty()
                : Optional.of("MachineConfigPool " + node.pausedPool() + " is paused, and Node " + nodeName
                        + " with it: end the pause in its cluster");
    }

    private String applying() {
        return "the machine-config operator applies a configuration to Node " + nodeName;
    }

    private HookResponse waiting(String what) {
        return HookResponse.retry(RETRY_SECONDS, "Machine " + machine + ": " + what);
    }
}
