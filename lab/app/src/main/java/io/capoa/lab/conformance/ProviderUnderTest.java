package io.capoa.lab.conformance;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.ManifestFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An infrastructure provider whose conformance is checked.
 *
 * @param name in messages
 * @param folder of its description, in which its commands run
 * @param definitions files and folders with its CustomResourceDefinitions; empty for a provider of the lab
 * @param manifests files and folders with its roles and whatever else it needs; may be empty
 * @param cluster manifest of a cluster on it, with everything that a user applies
 * @param commands its programs
 * @param hosts number of BareMetalHosts that the cluster needs
 * @param patience longest time for each expected change
 */
public record ProviderUnderTest(
        String name,
        Path folder,
        List<Path> definitions,
        List<Path> manifests,
        Path cluster,
        Commands commands,
        int hosts,
        Duration patience) {

    private static final Duration USUAL_PATIENCE = Duration.ofMinutes(2);

    /**
     * Programs of a provider, with their arguments.
     *
     * @param controller reconciles its kinds; empty for a provider of the lab
     * @param instances prints the provider ID of every existing instance, one a line; empty if there is none
     */
    public record Commands(List<String> controller, List<String> instances) {

        static final Commands NONE = new Commands(List.of(), List.of());

        public Commands {
            controller = List.copyOf(controller);
            instances = List.copyOf(instances);
        }
    }

    public ProviderUnderTest {
        definitions = List.copyOf(definitions);
        manifests = List.copyOf(manifests);
    }

    /** A provider that the lab simulates, with a sample of a cluster on it. */
    static ProviderUnderTest ofLab(String name, Path sample, int hosts) {
        return new ProviderUnderTest(
                name,
                sample.toAbsolutePath().resolveSibling(""),
                List.of(),
                List.of(),
                sample,
                Commands.NONE,
                hosts,
                USUAL_PATIENCE);
    }

    /** Whether the lab does not simulate it. */
    public boolean isForeign() {
        return !commands.controller().isEmpty();
    }

    /** The objects in {@link #definitions()}. */
    public List<GenericKubernetesResource> definitionObjects() {
        return definitions.stream().flatMap(ProviderUnderTest::objects).toList();
    }

    /** The objects in {@link #manifests()}. */
    public List<GenericKubernetesResource> manifestObjects() {
        return manifests.stream().flatMap(ProviderUnderTest::objects).toList();
    }

    /** The objects in {@link #cluster()}. */
    public ClusterManifest clusterManifest() {
        return ClusterManifest.of(objects(cluster).toList(), cluster.toString());
    }

    @Override
    public String toString() {
        return name;
    }

    private static Stream<GenericKubernetesResource> objects(Path path) {
        try (Stream<Path> files = Files.isDirectory(path) ? Files.walk(path) : Stream.of(path)) {
            List<GenericKubernetesResource> objects = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> file.equals(path) || file.toString().matches(".*[.]ya?ml"))
                    .sorted()
                    .toList()) {
                objects.addAll(ManifestFiles.parse(Files.readString(file), file.toString()));
            }
            return objects.stream();
        } catch (IOException e) {
            throw new ClusterException("Cannot read %s: %s".formatted(path, e), e);
        }
    }
}
