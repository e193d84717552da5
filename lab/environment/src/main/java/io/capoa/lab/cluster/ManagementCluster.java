package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.net.URI;
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
import java.util.stream.Stream;

/**
 * Turns an API server into a management cluster: the CRDs of Cluster API, Metal3, assisted-service, Hive and the
 * providers, and the rights of all users.
 *
 * @param cluster the API server
 * @param root the checkout, for {@code crds/} and {@code config/}
 * @param thirdPartyCrds folder with the publishers' CRDs; empty for the lab's reduced ones
 * @param usedKindsOnly whether publishers' CRDs that neither the providers nor the simulated peers use are left out
 */
public record ManagementCluster(TestCluster cluster, Path root, Optional<Path> thirdPartyCrds, boolean usedKindsOnly) {

    /** System property that names the folder with the publishers' CRDs. */
    public static final String CRDS_PROPERTY = "capoa.crds";

    private static final String CLUSTER_API_GROUP = "cluster.x-k8s.io";

    /** Users of third-party products, which get all rights. */
    private static final List<String> PEERS = List.of(
            KnownUsers.CLUSTER_API,
            KnownUsers.METAL3,
            KnownUsers.CLOUD,
            KnownUsers.ASSISTED_SERVICE,
            KnownUsers.WORKLOAD);

    /** API groups of this project's CRDs, which are skipped in a folder of third-party CRDs. */
    private static final Set<String> OUR_GROUPS = Set.of("bootstrap.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io");

    /** Kinds in use that a machine without the publishers' CRDs does without: config owners that are refused. */
    private static final Set<String> USED_IF_THERE = Set.of("machinepools.cluster.x-k8s.io");

    /** From this checkout, with the publishers' CRDs if {@value #CRDS_PROPERTY} is set. */
    public static ManagementCluster on(TestCluster cluster) {
        return new ManagementCluster(cluster, ProjectRoot.find(), publishersFolder());
    }

    /** With all CRDs of the publishers. */
    public ManagementCluster(TestCluster cluster, Path root, Optional<Path> thirdPartyCrds) {
        this(cluster, root, thirdPartyCrds, false);
    }

    /** Leaves out CRDs that neither the providers nor the simulated peers use; the API server starts sooner. */
    public ManagementCluster usedKinds() {
        return new ManagementCluster(cluster, root, thirdPartyCrds, true);
    }

    /** Files that decide what {@link #prepare} installs on a cluster {@link #on this checkout}. */
    static List<Path> sources(Path root) throws IOException {
        Path code = Path.of(URI.create(ManagementCluster.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        List<Path> files = new ArrayList<>();
        for (Path folder : Stream.concat(
                        Stream.of(code, root.resolve("crds"), root.resolve("config")), publishersFolder().stream())
                .toList()) {
            try (Stream<Path> all = Files.walk(folder)) {
                all.filter(Files::isRegularFile).sorted().forEach(files::add);
            }
        }
        return files;
    }

    private static Optional<Path> publishersFolder() {
        return Optional.ofNullable(System.getProperty(CRDS_PROPERTY))
                .filter(folder -> !folder.isBlank())
                .map(Path::of);
    }

    /** Installs the CRDs of the peers and the given ones; idempotent. Returns when every resource is served. */
    public void preparePeers(List<GenericKubernetesResource> ourDefinitions) {
        new CustomResourceDefinitions(cluster.admin()).install(definitions(ourDefinitions));
        new ManifestRoles(cluster).applyAll(LabCloud.roles());
        new AdmissionPolicies(cluster.admin()).install();
        PEERS.forEach(cluster::empower);
    }

    /**
     * Installs all CRDs, ours with the stored version alone, and the rights of users that run the providers; idempotent.
     * Returns when every resource is served.
     */
    public void prepare() {
        preparePeers(ownDefinitions());
        ManifestRoles roles = new ManifestRoles(cluster);
        Path configuration = root.resolve("config");
        var unused = roles.grantConfigured(configuration.resolve("bootstrap"), KnownUsers.BOOTSTRAP_PROVIDER);
        unused = roles.grantConfigured(configuration.resolve("controlplane"), KnownUsers.CONTROL_PLANE_PROVIDER);
    }

    /** Leaves a prepared cluster as {@link #resume} takes it. */
    void suspend() {
        new AdmissionPolicies(cluster.admin()).remove();
    }

    /**
     * Completes a cluster that was prepared and suspended before its data were saved; returns when every resource is
     * served. An API server that has admission policies from its start looks up their kinds before it serves them, and
     * then refuses writes of these kinds for half a minute.
     */
    void resume() {
        new ServedResources(cluster.admin()).await(definitions(ownDefinitions()));
        new AdmissionPolicies(cluster.admin()).install();
    }

    /**
     * Installs everything but Cluster API core and our providers, which clusterctl installs. The CRDs of Metal3 get the
     * label by which clusterctl moves their objects, as if it had installed them.
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
        new ManifestRoles(cluster).applyAll(LabCloud.roles());
        new AdmissionPolicies(cluster.admin()).install();
        PEERS.forEach(cluster::empower);
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

    private List<GenericKubernetesResource> ownDefinitions() {
        return StoredVersionOnly.of(definitionsBelow(root.resolve("crds")));
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
                .filter(definition -> !usedKindsOnly
                        || LeanSchemas.covers(definition)
                        || USED_IF_THERE.contains(definition.getMetadata().getName()))
                .forEach(all::add);
        all.addAll(LabCloud.definitions());
        return all;
    }

    private static List<GenericKubernetesResource> publishers(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new ClusterException("The folder of CRDs %s does not exist.".formatted(folder.toAbsolutePath()));
        }
        List<GenericKubernetesResource> definitions = definitionsBelow(folder);
        if (definitions.isEmpty()) {
            throw new ClusterException(
                    "The folder %s contains no CustomResourceDefinition.".formatted(folder.toAbsolutePath()));
        }
        return definitions;
    }

    private static List<GenericKubernetesResource> definitionsBelow(Path folder) {
        return ManifestFiles.below(folder, file -> true).stream()
                .filter(object -> object.getKind().equals(CustomResourceDefinitions.KIND))
                .toList();
    }
}
