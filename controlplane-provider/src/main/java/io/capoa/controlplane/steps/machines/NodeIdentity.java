package io.capoa.controlplane.steps.machines;

import io.capoa.api.contract.InfrastructureMachineView;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineAddress;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.workload.removal.MachineIdentity;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Identifies a Machine's Node by what Cluster API and the infrastructure provider report of its host. */
public final class NodeIdentity {

    private static final Set<String> IP = Set.of("InternalIP", "ExternalIP");
    private static final Set<String> NAME = Set.of("Hostname", "InternalDNS");

    private NodeIdentity() {}

    /** Whether the Machine never had a host, so that no Node can have joined the cluster. */
    static boolean hasNoHost(ControlPlaneObservation observation, Machine machine) {
        MachineView view = MachineView.of(machine);
        return view.nodeName() == null
                && view.providerId() == null
                && observation.infrastructureMachine(machine.getMetadata().getName()) == null;
    }

    static MachineIdentity of(ControlPlaneObservation observation, Machine machine) {
        String name = machine.getMetadata().getName();
        MachineView view = MachineView.of(machine);
        GenericKubernetesResource object = observation.infrastructureMachine(name);
        InfrastructureMachineView infrastructure = object == null ? null : InfrastructureMachineView.of(object);
        String id = view.providerId();
        List<MachineAddress> addresses = Stream.concat(
                        view.addresses().stream(),
                        infrastructure == null ? Stream.empty() : infrastructure.addresses().stream())
                .toList();
        return new MachineIdentity(
                name,
                id != null || infrastructure == null ? id : infrastructure.providerId(),
                view.nodeName(),
                reported(addresses, IP),
                reported(addresses, NAME));
    }

    static List<MachineIdentity> ofOthers(ControlPlaneObservation observation, Machine machine) {
        return observation.machines().without(machine).stream()
                .map(other -> of(observation, other))
                .toList();
    }

    /** Excludes loopback and link-local addresses, which every host has. */
    private static Set<String> reported(List<MachineAddress> addresses, Set<String> types) {
        return addresses.stream()
                .filter(address -> types.contains(address.type()))
                .map(MachineAddress::address)
                .filter(NodeIdentity::distinguishes)
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
