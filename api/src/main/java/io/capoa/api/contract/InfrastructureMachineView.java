package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Read view of an infrastructure machine of any kind (Cluster API v1beta2 contract, "InfraMachine"). */
public record InfrastructureMachineView(GenericKubernetesResource object) implements ObjectView {

    public static InfrastructureMachineView of(GenericKubernetesResource machine) {
        return new InfrastructureMachineView(machine);
    }

    public @Nullable String providerId() {
        return Fields.string(object, "spec", "providerID");
    }

    public List<MachineAddress> addresses() {
        return MachineAddress.of(object);
    }
}
