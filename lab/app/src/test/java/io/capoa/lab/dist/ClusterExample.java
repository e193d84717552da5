package io.capoa.lab.dist;

import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.ManifestFiles;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.provider.Variables;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A shipped file that makes a cluster: a sample, or a template of the release with values of a user.
 *
 * @param header its first comment, in one line
 */
record ClusterExample(String name, String header, List<GenericKubernetesResource> objects) {

    /** Sample and template for a CAPM3 whose kinds have another version, see {@link OlderCapm3Test}. */
    static final String OLDER_CAPM3 = "capm3-v1beta1";

    private static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";

    /** References without a kind, by their field. */
    private static final Map<String, String> KINDS = Map.of(
            "pullSecretRef", "Secret",
            "manifestsConfigMapRefs", "ConfigMap",
            "imageRegistryRef", "ConfigMap",
            "mirrorRegistryRef", "ConfigMap",
            "classRef", "ClusterClass");

    /**
     * One object that another one names.
     *
     * @param group API group; empty if the reference has none
     */
    record Reference(String from, String group, String kind, String name) {

        boolean isTo(GenericKubernetesResource object) {
            return object.getKind().equals(kind)
                    && object.getMetadata().getName().equals(name)
                    && (group.isEmpty() || object.getApiVersion().startsWith(group + "/"));
        }

        /** Kind and name. */
        String target() {
            return kind + " " + name;
        }
    }

    /** All files of {@code config/samples}. */
    static List<ClusterExample> samples() {
        Path folder = ProjectRoot.find().resolve("config/samples");
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted()
                    .map(file -> of(file.getFileName().toString(), text(file)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All templates and classes of the release. */
    static List<ClusterExample> templates() {
        return DistRelease.built().files().entrySet().stream()
                .filter(file -> file.getKey().matches(".*/cluster(-template|class).*[.]yaml"))
                .map(file -> of(
                        Path.of(file.getKey()).getFileName().toString(),
                        Variables.fill(file.getValue(), TemplatesTest.VALUES)))
                .toList();
    }

    static List<ClusterExample> all() {
        return Stream.concat(samples().stream(), templates().stream()).toList();
    }

    private static ClusterExample of(String name, String text) {
        String header = text.lines()
                .takeWhile(line -> line.startsWith("#"))
                .map(line -> line.substring(1).strip())
                .collect(Collectors.joining(" "));
        return new ClusterExample(name, header, ManifestFiles.parse(text, name));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Stream<GenericKubernetesResource> ofKind(String kind) {
        return objects.stream().filter(object -> object.getKind().equals(kind));
    }

    /** Empty for a ClusterClass. */
    Optional<GenericKubernetesResource> cluster() {
        return ofKind("Cluster").findFirst();
    }

    /** Objects of Metal3. */
    List<GenericKubernetesResource> metal3() {
        return objects.stream()
                .filter(object -> object.getKind().startsWith("Metal3"))
                .toList();
    }

    boolean hasTopology() {
        return cluster().map(cluster -> Fields.any(cluster, "spec", "topology")).isPresent();
    }

    /** A scalar of the control plane's spec as text, empty if it is absent. */
    String controlPlane(String... path) {
        return ofKind("OpenshiftAssistedControlPlane")
                .map(object -> Fields.text(Fields.any(object, "spec"), path))
                .findFirst()
                .orElse("");
    }

    int controlPlanes() {
        return hasTopology()
                ? Integer.parseInt(topology("controlPlane", "replicas"))
                : Integer.parseInt(controlPlane("replicas"));
    }

    int workers() {
        Stream<?> replicas = hasTopology()
                ? Fields.list(cluster().orElseThrow(), "spec", "topology", "workers", "machineDeployments").stream()
                        .map(deployment -> Fields.any(deployment, "replicas"))
                : ofKind("MachineDeployment").map(object -> Fields.any(object, "spec", "replicas"));
        return replicas.mapToInt(count -> ((Number) count).intValue()).sum();
    }

    private String topology(String... path) {
        return Fields.text(Fields.any(cluster().orElseThrow(), "spec", "topology"), path);
    }

    /** What the objects name, in the order of the file. */
    List<Reference> references() {
        List<Reference> references = new ArrayList<>();
        for (GenericKubernetesResource object : objects) {
            String from = object.getKind() + " " + object.getMetadata().getName();
            Map<String, String> labels = object.getMetadata().getLabels();
            if (labels != null && labels.containsKey(CLUSTER_NAME)) {
                references.add(new Reference(from, "", "Cluster", labels.get(CLUSTER_NAME)));
            }
            collect(from, Fields.any(object, "spec"), references);
        }
        return references;
    }

    private static void collect(String from, Object value, List<Reference> references) {
        if (value instanceof List<?> list) {
            list.forEach(item -> collect(from, item, references));
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> {
                String field = String.valueOf(key);
                if (field.endsWith("Ref")) {
                    references.add(reference(from, field, item));
                } else if (field.endsWith("Refs")) {
                    ((List<?>) item).forEach(each -> references.add(reference(from, field, each)));
                } else if (field.equals("dataTemplate")) {
                    references.add(new Reference(from, "", "Metal3DataTemplate", Fields.text(item, "name")));
                } else if (field.equals("clusterName") || field.equals(CLUSTER_NAME)) {
                    references.add(new Reference(from, "", "Cluster", Fields.text(item)));
                }
                collect(from, item, references);
            });
        }
    }

    private static Reference reference(String from, String field, Object value) {
        String kind = Fields.text(value, "kind");
        String group = Fields.text(value, "apiGroup")
                + Fields.text(value, "apiVersion").replaceFirst("/?[^/]*$", "");
        return new Reference(
                from, group, kind.isEmpty() ? KINDS.getOrDefault(field, field) : kind, Fields.text(value, "name"));
    }

    @Override
    public String toString() {
        return name;
    }
}
