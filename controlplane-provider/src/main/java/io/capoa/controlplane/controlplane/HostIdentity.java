package io.capoa.controlplane.controlplane;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.workload.MachineIdentity;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** By what the Nodes of Machines are recognized: what Cluster API and the infrastructure provider report of their hosts. */
final class HostIdentity {

    private static final Set<String> IP = Set.of("InternalIP", "ExternalIP");
    private static final Set<String> NAME = Set.of("Hostname", "InternalDNS");

    private HostIdentity() {}

    /** Whether it never had a host: nothing that could have joined the cluster. */
    static boolean hasNoHost(ControlPlaneObservation observation, Machine machine) {
        return Fields.string(machine, "status", "nodeRef", "name") == null
                && Fields.string(machine, "spec", "providerID") == null
                && observation.infrastructureMachine(machine.getMetadata().getName()) == null;
    }

    static MachineIdentity of(ControlPlaneObservation observation, Machine machine) {
        String name = machine.getMetadata().getName();
        GenericKubernetesResource infrastructure = observation.infrastructureMachine(name);
        String id = Fields.string(machine, "spec", "providerID");
        return new MachineIdentity(
                name,
                id != null || infrastructure == null ? id : Fields.string(infrastructure, "spec", "providerID"),
                Fields.string(machine, "status", "nodeRef", "name"),
                reported(machine, infrastructure, IP),
                reported(machine, infrastructure, NAME));
    }

    static List<MachineIdentity> ofOthers(ControlPlaneObservation observation, Machine machine) {
        return observation.machines().stream()
                .filter(other -> !other.getMetadata()
                        .getUid()
                        .equals(machine.getMetadata().getUid()))
                .map(other -> of(observation, other))
                .toList();
    }

    /** Without what every host calls its own. */
    private static Set<String> reported(
            Machine machine, @Nullable GenericKubernetesResource infrastructure, Set<String> types) {
        return Stream.of(machine, infrastructure)
                .filter(GenericKubernetesResource.class::isInstance)
                .flatMap(object -> Fields.list(object, "status", "addresses").stream())
                .filter(address -> types.contains(String.valueOf(Fields.any(address, "type"))))
                .map(address -> String.valueOf(Fields.any(address, "address")))
                .filter(HostIdentity::distinguishes)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean distinguishes(String address) {
        return !address.isBlank()
                && !address.startsWith("localhost")
                && !address.startsWith("127.")
                && !address.startsWith("169.254.")
                && !address.equals("::1")
                && !address.startsWith("fe80:");
    }
}
