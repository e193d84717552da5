package io.capoa.controlplane.observe;

import io.capoa.api.contract.Machine;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.Machines;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Lists Machines from the API server, for decisions that must not rest on a stale cache. */
public final class LiveMachines {

    private LiveMachines() {}

    /** Machines that the control plane controls, and orphans that carry its labels. */
    public static Machines list(KubernetesClient client, ControlPlaneIdentity identity) {
        return Machines.of(client
                .resources(Machine.class)
                .inNamespace(identity.namespace())
                .withLabels(identity.selector())
                .list()
                .getItems()
                .stream()
                .filter(machine -> identity.controls(machine) || ControlPlaneMappers.isOrphan(identity, machine))
                .toList());
    }
}
