package io.capoa.bootstrap.infrastructure;

import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Map;

/**
 * Reads and patches the objects of one infrastructure provider. An implementation declares the informers that it needs;
 * {@link InfrastructureProviders} lists the implementations and chooses one by the kind of the infrastructure machine.
 */
public interface InfrastructureProvider {

    /** Primary key by which an event source triggers the config of a Machine: the Machine's name. */
    String BY_MACHINE = "machine";

    /** Whether infrastructure machines of this kind are the provider's. */
    boolean provides(ContractReference infrastructureMachine);

    /**
     * Reads the infrastructure of a Machine from the caches.
     *
     * @param machine whose infrastructure reference is to this provider
     * @param name of the infrastructure machine, in the Machine's namespace
     */
    Infrastructure of(Machine machine, String name);

    /**
     * Merges into {@link Infrastructure#machine} or {@link Host#object}, if it is still what it was read as.
     *
     * @param object that this provider has read
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server refuses, with 409 when the
     *     object has changed
     */
    default void patchIfUnchanged(Applier applier, HasMetadata object, Map<String, Object> patch) {
        throw new IllegalArgumentException(object.getKind() + " "
                + object.getMetadata().getName() + " is only read by its infrastructure provider");
    }

    /** Keys under {@link #BY_MACHINE} of an infrastructure machine: the names of the Machines that own it. */
    static List<String> machines(HasMetadata infrastructureMachine) {
        String machine = HasMetadata.getKind(Machine.class);
        return infrastructureMachine.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals(machine))
                .map(OwnerReference::getName)
                .toList();
    }
}
