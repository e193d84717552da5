package io.capoa.lab.command;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What light peers simulate: clusters of three control planes on bare metal that boot a disk image. */
final class LightInput {

    /** Kinds that the peers read, or that only the providers do. */
    private static final Set<String> KINDS = Set.of(
            "Namespace",
            "Secret",
            "ConfigMap",
            "Cluster",
            "Metal3Cluster",
            "Metal3MachineTemplate",
            "Metal3DataTemplate",
            "MachineDeployment",
            "OpenshiftAssistedConfigTemplate",
            "OpenshiftAssistedControlPlane");

    private static final int CONTROL_PLANES = 3;

    private LightInput() {}

    /** What of the object is not simulated; empty if all is. */
    static Optional<String> obstacle(HasMetadata object) {
        if (!KINDS.contains(object.getKind())) {
            return Optional.of("objects of kind " + object.getKind());
        }
        return object instanceof GenericKubernetesResource generic
                ? Optional.ofNullable(unsupported(generic))
                : Optional.empty();
    }

    private static @Nullable String unsupported(GenericKubernetesResource object) {
        return switch (object.getKind()) {
            case "Cluster" ->
                Fields.any(object, "spec", "topology") != null
                        ? "ClusterClasses"
                        : otherKind(object, "Metal3Cluster", "spec", "infrastructureRef", "kind");
            case "MachineDeployment" ->
                Integer.valueOf(0).equals(Fields.integer(object, "spec", "replicas"))
                        ? null
                        : "workers (add --workers 0)";
            case "Metal3MachineTemplate" ->
                "qcow2".equals(Fields.string(object, "spec", "template", "spec", "image", "diskFormat"))
                        ? null
                        : "hosts that do not boot a disk image (qcow2)";
            case "Metal3DataTemplate" ->
                Fields.map(object, "spec", "metaData").isEmpty()
                                && Fields.map(object, "spec", "networkData").isEmpty()
                        ? null
                        : "metaData and networkData";
            case "OpenshiftAssistedControlPlane" -> ofControlPlane(object);
            default -> null;
        };
    }

    private static @Nullable String ofControlPlane(GenericKubernetesResource controlPlane) {
        Integer replicas = Fields.integer(controlPlane, "spec", "replicas");
        if (Fields.any(controlPlane, "spec", "arbiter") != null) {
            return "arbiters";
        }
        if (replicas == null || replicas != CONTROL_PLANES) {
            return "control planes of other than %d hosts".formatted(CONTROL_PLANES);
        }
        return otherKind(
                controlPlane, "Metal3MachineTemplate", "spec", "machineTemplate", "spec", "infrastructureRef", "kind");
    }

    private static @Nullable String otherKind(GenericKubernetesResource object, String kind, String... path) {
        String referred = Fields.string(object, path);
        return kind.equals(referred) ? null : "infrastructure of kind " + referred;
    }
}
