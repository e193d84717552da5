package io.capoa.controlplane.observe;

import io.capoa.api.Labels;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.watch.ChosenKinds;
import io.capoa.runtime.watch.EventDebouncer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Informers for the infrastructure machines of control plane Machines, of any kind. */
final class InfrastructureMachines {

    private final Contracts contracts;
    private final ChosenKinds<OpenshiftAssistedControlPlane> kinds;

    InfrastructureMachines(
            KubernetesClient client,
            Set<String> namespaces,
            Contracts contracts,
            Function<GenericKubernetesResource, Set<ResourceID>> primaries,
            Function<UnaryOperator<GenericKubernetesResource>, ItemStore<GenericKubernetesResource>> stores,
            EventDebouncer debouncer) {
        this.contracts = contracts;
        this.kinds = new ChosenKinds<>(
                client,
                namespaces,
                Labels.CONTROL_PLANE,
                PeerPruning::infrastructureMachine,
                primaries,
                stores,
                debouncer);
    }

    ChosenKinds<OpenshiftAssistedControlPlane> source() {
        return kinds;
    }

    /** The failure if the API server refuses to list one of the kinds. */
    Optional<ReconcileFailure> failure(OpenshiftAssistedControlPlane controlPlane, Collection<Machine> machines) {
        return machines.stream()
                .flatMap(machine -> definition(machine).stream())
                .flatMap(definition -> kinds.failure(definition, ResourceID.fromResource(controlPlane)).stream())
                .flatMap(failure -> ReconcileFailure.of(failure, "control plane").stream())
                .findFirst();
    }

    private Optional<ResourceDefinitionContext> definition(Machine machine) {
        ContractReference reference = MachineView.of(machine).infrastructureRef();
        String group = reference.group();
        String kind = reference.kind();
        return group == null || kind == null ? Optional.empty() : contracts.definition(group, kind);
    }

    /**
     * Infrastructure machines by name of their Machine, without kinds that the API server does not serve; {@code null}
     * while a cache is not synced.
     */
    @Nullable
    Map<String, GenericKubernetesResource> of(
            OpenshiftAssistedControlPlane controlPlane, Collection<Machine> machines) {
        Map<String, GenericKubernetesResource> found = new TreeMap<>();
        for (Machine machine : machines) {
            String name = MachineView.of(machine).infrastructureRef().name();
            Optional<ResourceDefinitionContext> definition = name == null ? Optional.empty() : definition(machine);
            if (definition.isEmpty() || name == null) {
                continue;
            }
            Optional<ChosenKinds.Objects> objects = kinds.of(definition.get(), ResourceID.fromResource(controlPlane));
            if (objects.isEmpty()) {
                return null;
            }
            GenericKubernetesResource infrastructure =
                    objects.get().get(machine.getMetadata().getNamespace(), name);
            if (infrastructure != null) {
                found.put(machine.getMetadata().getName(), infrastructure);
            }
        }
        return found;
    }
}
