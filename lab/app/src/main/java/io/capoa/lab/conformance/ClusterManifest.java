package io.capoa.lab.conformance;

import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.stream.Stream;

/**
 * The manifest of a cluster.
 *
 * @param objects in the order of the file
 * @param cluster its Cluster
 * @param infrastructure kind of the cluster's infrastructure
 * @param machines kinds of its infrastructure machines
 */
public record ClusterManifest(
        List<GenericKubernetesResource> objects,
        String cluster,
        InfrastructureKind infrastructure,
        List<InfrastructureKind> machines) {

    private static final String TEMPLATE = "Template";

    public ClusterManifest {
        objects = List.copyOf(objects);
        machines = List.copyOf(machines);
    }

    /**
     * A kind of the provider.
     *
     * @param group API group
     */
    public record InfrastructureKind(String group, String kind) {

        /** The kind of its templates. */
        public InfrastructureKind template() {
            return new InfrastructureKind(group, kind + TEMPLATE);
        }
    }

    /**
     * Reads the references of the objects.
     *
     * @param origin file, for messages
     * @throws ClusterException if a Cluster or a control plane is missing, or lacks its reference
     */
    static ClusterManifest of(List<GenericKubernetesResource> objects, String origin) {
        GenericKubernetesResource cluster = single(objects, "Cluster", origin);
        GenericKubernetesResource controlPlane = single(objects, "OpenshiftAssistedControlPlane", origin);
        Stream<InfrastructureKind> ofWorkers = ofKind(objects, "MachineDeployment")
                .map(deployment -> reference(deployment, origin, "spec", "template", "spec", "infrastructureRef"));
        List<InfrastructureKind> machines = Stream.concat(
                        Stream.of(reference(
                                controlPlane, origin, "spec", "machineTemplate", "spec", "infrastructureRef")),
                        ofWorkers)
                .map(template -> machine(template, origin))
                .distinct()
                .toList();
        return new ClusterManifest(
                objects,
                cluster.getMetadata().getName(),
                reference(cluster, origin, "spec", "infrastructureRef"),
                machines);
    }

    private static InfrastructureKind machine(InfrastructureKind template, String origin) {
        if (!template.kind().endsWith(TEMPLATE)) {
            throw new ClusterException("%s refers to kind %s for machines: name a kind that ends with %s."
                    .formatted(origin, template.kind(), TEMPLATE));
        }
        String kind = template.kind().substring(0, template.kind().length() - TEMPLATE.length());
        return new InfrastructureKind(template.group(), kind);
    }

    private static InfrastructureKind reference(GenericKubernetesResource object, String origin, String... path) {
        ContractReference reference = new ContractReference(Fields.map(object, path));
        String group = reference.group();
        String kind = reference.kind();
        if (group == null || kind == null) {
            throw new ClusterException("%s %s in %s has no %s with apiGroup, kind and name: add it."
                    .formatted(object.getKind(), object.getMetadata().getName(), origin, String.join(".", path)));
        }
        return new InfrastructureKind(group, kind);
    }

    private static GenericKubernetesResource single(
            List<GenericKubernetesResource> objects, String kind, String origin) {
        List<GenericKubernetesResource> found = ofKind(objects, kind).toList();
        if (found.size() != 1) {
            throw new ClusterException("%s has %d objects of kind %s: write one, as in config/samples/external.yaml."
                    .formatted(origin, found.size(), kind));
        }
        return found.getFirst();
    }

    private static Stream<GenericKubernetesResource> ofKind(List<GenericKubernetesResource> objects, String kind) {
        return objects.stream().filter(object -> kind.equals(object.getKind()));
    }
}
