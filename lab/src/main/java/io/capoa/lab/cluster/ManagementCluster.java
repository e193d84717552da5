package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes a management cluster out of an API server: the CRDs of Cluster API, Metal3, assisted-service and Hive, the
 * providers' own, and the rights of everybody who acts on it.
 *
 * @param cluster the API server
 * @param root the checkout, for {@code crds/} and {@code config/}
 * @param thirdPartyCrds folder with the publishers' CRDs; without it the lab's lean ones are used
 */
public record ManagementCluster(TestCluster cluster, Path root, Optional<Path> thirdPartyCrds) {

    /** System property that names the folder with the publishers' CRDs. */
    public static final String CRDS_PROPERTY = "capoa.crds";

    private static final String CLUSTER_API_GROUP = "cluster.x-k8s.io";

    /** What acts as a whole product of somebody else; its exact rights are not what the lab is about. */
    private static final List<String> NEIGHBOURS =
            List.of(KnownUsers.CLUSTER_API, KnownUsers.METAL3, KnownUsers.ASSISTED_SERVICE, KnownUsers.WORKLOAD);

    /** Groups whose CRDs are this project's, whatever else a folder of CRDs holds. */
    private static final Set<String> OUR_GROUPS = Set.of("bootstrap.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io");

    /** In this checkout, with the publishers' CRDs where {@value #CRDS_PROPERTY} is set. */
    public static ManagementCluster on(TestCluster cluster) {
        return new ManagementCluster(
                cluster,
                ProjectRoot.find(),
                Optional.ofNullable(System.getProperty(CRDS_PROPERTY))
                        .filter(folder -> !folder.isBlank())
                        .map(Path::of));
    }

    /**
     * Installs what stands around the providers, and these kinds with it; may be repeated. Returns when every resource
     * answers.
     */
    public void prepareNeighbours(List<GenericKubernetesResource> ourDefinitions) {
        new CustomResourceDefinitions(cluster.admin()).install(definitions(ourDefinitions));
        new AdmissionPolicies(cluster.admin()).install();
        NEIGHBOURS.forEach(cluster::empower);
    }

    /**
     * Installs what is missing, with the providers' kinds and the rights of users that act in their place; may be
     * repeated. Returns when every resource answers.
     */
    public void prepare() {
        prepareNeighbours(definitionsBelow(root.resolve("crds")));
        Roles roles = new Roles(cluster);
        Path configuration = root.resolve("config");
        var unused = roles.grantConfigured(configuration.resolve("bootstrap"), KnownUsers.BOOTSTRAP_PROVIDER);
        unused = roles.grantConfigured(configuration.resolve("controlplane"), KnownUsers.CONTROL_PLANE_PROVIDER);
    }

    /**
     * What clusterctl finds when it is to install Cluster API core and our providers: everything else. The kinds of
     * Metal3 carry the label by which clusterctl knows those that it moves, as if it had installed them.
     *
     * @param certManagerCrds folder with cert-manager's CRDs
     */
    public void prepareForClusterctl(Path certManagerCrds) {
        List<GenericKubernetesResource> others = new ArrayList<>(definitions(List.of()).stream()
                .filter(definition -> !installedByClusterctl(definition.get("spec", "group")))
                .toList());
        others.stream().filter(ManagementCluster::isMetal3).forEach(ManagementCluster::labelForMove);
        others.addAll(definitionsBelow(certManagerCrds));
        new CustomResourceDefinitions(cluster.admin()).install(others);
        new AdmissionPolicies(cluster.admin()).install();
        NEIGHBOURS.forEach(cluster::empower);
    }

    private static boolean isMetal3(GenericKubernetesResource definition) {
        String group = definition.get("spec", "group");
        return group.equals("metal3.io") || group.startsWith("infrastructure.");
    }

    private static void labelForMove(GenericKubernetesResource definition) {
        Map<String, String> labels = new TreeMap<>(
                Objects.requireNonNullElse(definition.getMetadata().getLabels(), Map.of()));
        labels.put("clusterctl.cluster.x-k8s.io", "");
        if (definition.getMetadata().getName().equals("baremetalhosts.metal3.io")) {
            labels.put("clusterctl.cluster.x-k8s.io/move", "");
        }
        definition.getMetadata().setLabels(labels);
    }

    private static boolean installedByClusterctl(String group) {
        return !group.startsWith("infrastructure.")
                && (group.equals(CLUSTER_API_GROUP) || group.endsWith("." + CLUSTER_API_GROUP));
    }

    private List<GenericKubernetesResource> definitions(List<GenericKubernetesResource> ours) {
        Set<String> ourNames = ours.stream()
                .map(definition -> definition.getMetadata().getName())
                .collect(Collectors.toSet());
        List<GenericKubernetesResource> all = new ArrayList<>(ours);
        thirdPartyCrds.map(ManagementCluster::publishers).orElseGet(LeanSchemas::all).stream()
                .filter(definition ->
                        !ourNames.contains(definition.getMetadata().getName()))
                .filter(definition -> !OUR_GROUPS.contains(definition.<String>get("spec", "group")))
                .forEach(all::add);
        return all;
    }

    private static List<GenericKubernetesResource> publishers(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new ClusterException("The folder of CRDs %s does not exist.".formatted(folder.toAbsolutePath()));
        }
        List<GenericKubernetesResource> definitions = definitionsBelow(folder);
        if (definitions.isEmpty()) {
            throw new ClusterException(
                    "The folder %s holds no CustomResourceDefinition.".formatted(folder.toAbsolutePath()));
        }
        return definitions;
    }

    private static List<GenericKubernetesResource> definitionsBelow(Path folder) {
        return Manifests.below(folder, file -> true).stream()
                .filter(object -> object.getKind().equals(CustomResourceDefinitions.KIND))
                .toList();
    }
}
