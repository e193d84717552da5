package io.capoa.bootstrap.config;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.Machine;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Optional;

/** The config's owner (Cluster API bootstrap contract: the Machine controller sets the owner reference). */
sealed interface Owner {

    /** No owner yet. */
    record None() implements Owner {}

    /** An owner of an unsupported kind. */
    record Unsupported(String kind) implements Owner {}

    /** A Machine that does not exist, not any more or not yet in the cache. */
    record Gone(String name) implements Owner {}

    /** A Machine. */
    record Of(Machine machine) implements Owner {

        /** Whether the Machine is on its way out: nothing is begun for it any more. */
        boolean isGoing() {
            return machine.getMetadata().getDeletionTimestamp() != null;
        }

        Blocker going() {
            return new Blocker(
                    ConfigConditions.DELETING,
                    "Machine " + machine.getMetadata().getName() + " is being deleted");
        }
    }

    /** The owner reference that counts: that of a Machine, else that of another kind of Cluster API. */
    static Optional<OwnerReference> reference(HasMetadata config) {
        var references = config.getMetadata().getOwnerReferences().stream()
                .filter(reference -> reference.getApiVersion().startsWith("cluster.x-k8s.io/"))
                .toList();
        return references.stream()
                .filter(Owner::isMachine)
                .findFirst()
                .or(() -> references.stream()
                        .filter(reference -> reference.getKind().equals("MachinePool"))
                        .findFirst());
    }

    static boolean isMachine(OwnerReference reference) {
        return reference.getKind().equals("Machine");
    }
}
