package io.capoa.bootstrap.config.observe;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The config's owner (Cluster API bootstrap contract: the Machine controller sets the owner reference). */
public sealed interface Owner {

    /** No owner yet, or a Machine that has another config. */
    public record Unset() implements Owner {}

    /** An owner of an unsupported kind. */
    public record Unsupported(String kind) implements Owner {}

    /** A Machine that does not exist, not any more or not yet in the cache. */
    public record Gone(String name) implements Owner {}

    /** A Machine. */
    public record Of(Machine machine) implements Owner {

        /** Whether the Machine is on its way out: nothing is begun for it any more. */
        public boolean isGoing() {
            return machine.getMetadata().getDeletionTimestamp() != null;
        }

        public Blocker going() {
            return new Blocker(
                    ConfigConditions.DELETING,
                    "Machine " + machine.getMetadata().getName() + " is being deleted");
        }
    }

    /**
     * The Machine, if it is the one that the owner reference names and names this config itself: everybody who may write
     * the config may write the reference.
     */
    static Owner of(OpenshiftAssistedConfig config, OwnerReference reference, @Nullable Machine machine) {
        if (machine == null
                || !Objects.equals(reference.getUid(), machine.getMetadata().getUid())) {
            return new Gone(reference.getName());
        }
        ContractReference named = MachineView.of(machine).bootstrap().configRef();
        return HasMetadata.getKind(OpenshiftAssistedConfig.class).equals(named.kind())
                        && config.getMetadata().getName().equals(named.name())
                ? new Of(machine)
                : new Unset();
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
