package io.capoa.bootstrap.infrastructure;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Chooses the infrastructure provider of a Machine by the kind of its infrastructure machine. A kind that none of the
 * implementations knows is read by the Cluster API contract alone.
 */
public final class InfrastructureProviders {

    /** All implementations for one kind; a further one is added here. */
    static final List<Function<EventSources<OpenshiftAssistedConfig>, InfrastructureProvider>> KNOWN =
            List.of(Metal3Provider::declare);

    private static final InfrastructureProvider ANY = new ContractProvider();

    private final List<InfrastructureProvider> known;

    InfrastructureProviders(List<InfrastructureProvider> known) {
        this.known = List.copyOf(known);
    }

    /**
     * Declares the informers of all implementations.
     *
     * @param eventSources where {@link InfrastructureProvider#BY_MACHINE} is a primary key
     */
    public static InfrastructureProviders declare(EventSources<OpenshiftAssistedConfig> eventSources) {
        return declare(eventSources, KNOWN);
    }

    static InfrastructureProviders declare(
            EventSources<OpenshiftAssistedConfig> eventSources,
            List<Function<EventSources<OpenshiftAssistedConfig>, InfrastructureProvider>> known) {
        return new InfrastructureProviders(
                known.stream().map(one -> one.apply(eventSources)).toList());
    }

    /** Reads the infrastructure of a Machine from the caches. */
    public Infrastructure of(Machine machine) {
        String name = MachineView.of(machine).infrastructureRef().name();
        return name == null
                ? Infrastructure.missing(
                        "Machine " + machine.getMetadata().getName() + " names no infrastructure machine")
                : chosen(machine).of(machine, name);
    }

    /**
     * Merges into an object of the Machine's infrastructure, if it is still what it was read as.
     *
     * @param object {@link Infrastructure#machine} or {@link Host#object} of that Machine
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server refuses, with 409 when the
     *     object has changed
     */
    public void patchIfUnchanged(Applier applier, Machine machine, HasMetadata object, Map<String, Object> patch) {
        chosen(machine).patchIfUnchanged(applier, object, patch);
    }

    /** Whether the progress that a Machine reports of its infrastructure is read: its provider shows nothing more. */
    public static boolean readsProgress(Machine machine) {
        return !Metal3Provider.isMetal3(MachineView.of(machine).infrastructureRef());
    }

    private InfrastructureProvider chosen(Machine machine) {
        ContractReference reference = MachineView.of(machine).infrastructureRef();
        return known.stream()
                .filter(provider -> provider.provides(reference))
                .findFirst()
                .orElse(ANY);
    }
}
