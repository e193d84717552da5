package io.capoa.api.contract;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.jspecify.annotations.Nullable;

/** Read view of a MachineDeployment or MachineSet. */
public record MachineGroupView(GenericKubernetesResource object) implements ObjectView {

    public static MachineGroupView of(MachineDeployment deployment) {
        return new MachineGroupView(deployment);
    }

    public static MachineGroupView of(MachineSet set) {
        return new MachineGroupView(set);
    }

    public @Nullable String clusterName() {
        return Fields.string(object, "spec", "clusterName");
    }

    /** Absent replicas are 1, which is Cluster API's default. */
    public int replicas() {
        Integer replicas = Fields.integer(object, "spec", "replicas");
        return replicas == null ? 1 : replicas;
    }

    /** Bootstrap of the Machines; {@link Bootstrap#configRef()} names a config template. */
    public Bootstrap bootstrap() {
        return new Bootstrap(Fields.map(object, "spec", "template", "spec", "bootstrap"));
    }
}
