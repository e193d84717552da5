package io.capoa.lab.cluster;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Selects the management cluster of a test run by the system property {@value #PROPERTY}. */
public final class TestClusters {

    /** {@code local} (the default), {@code k3s} or {@code existing}. */
    public static final String PROPERTY = "capoa.cluster";

    private TestClusters() {}

    /**
     * Starts or connects to the selected cluster, and prepares it as {@link ManagementCluster#prepare} does.
     *
     * @param users required users in addition to {@link KnownUsers#ALL}
     * @throws ClusterException if it is not available, or the value is unknown
     */
    public static TestCluster select(Collection<String> users) {
        return select(System.getProperty(PROPERTY), users);
    }

    /** As {@link #select(Collection)}, without additional users. */
    public static TestCluster select() {
        return select(List.of());
    }

    static TestCluster select(@Nullable String choice, Collection<String> users) {
        return switch (choice == null || choice.isBlank() ? "local" : choice) {
            case "local" ->
                PreparedClusters.start(LocalCluster.builder().users(users).auditObjects());
            case "existing" -> prepared(ExistingCluster.of(currentKubeconfig(System.getenv())));
            case "k3s" ->
                prepared(ServiceLoader.load(ContainerCluster.class)
                        .findFirst()
                        .orElseThrow(() ->
                                new ClusterException("%s=k3s needs the Maven profile k3s (mvn -Pk3s verify) and Docker."
                                        .formatted(PROPERTY)))
                        .start());
            default ->
                throw new ClusterException("%s=%s is unknown: use local, k3s or existing.".formatted(PROPERTY, choice));
        };
    }

    private static TestCluster prepared(TestCluster cluster) {
        ManagementCluster.on(cluster).prepare();
        return cluster;
    }

    static Path currentKubeconfig(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("KUBECONFIG"))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".kube", "config"));
    }

    /** A cluster in a container; the implementation needs Docker and is on the class path only with its profile. */
    public interface ContainerCluster {
        TestCluster start();
    }
}
