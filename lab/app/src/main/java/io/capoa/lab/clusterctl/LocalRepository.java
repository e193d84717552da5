package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.GoModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A local repository of clusterctl: {@code <provider label>/<version>/<components>.yaml} with {@code metadata.yaml},
 * and the configuration file that refers to it.
 *
 * @param folder folder of the configuration file and of core's part of the repository
 * @param providers folder with the releases of our two providers, in the same layout; all its versions are available
 */
public record LocalRepository(Path folder, Path providers) {

    private static final String CORE_LABEL = "cluster-api";

    /** One provider in clusterctl's configuration. */
    private record Entry(String name, String type, String label, String components) {}

    /** ClusterClass, and updates in place by runtime extensions. */
    private static final Map<String, String> CORE_FEATURES =
            Map.of("CLUSTER_TOPOLOGY", "true", "EXP_RUNTIME_SDK", "true", "EXP_IN_PLACE_UPDATES", "true");

    private static final Entry CORE = new Entry("cluster-api", "CoreProvider", CORE_LABEL, CoreRelease.COMPONENTS);
    private static final List<Entry> OURS = List.of(
            new Entry(
                    "openshift-assisted",
                    "BootstrapProvider",
                    "bootstrap-openshift-assisted",
                    "bootstrap-components.yaml"),
            new Entry(
                    "openshift-assisted",
                    "ControlPlaneProvider",
                    "control-plane-openshift-assisted",
                    "control-plane-components.yaml"));

    /**
     * Writes core's release and the configuration.
     *
     * @param variables variables of components and templates, in addition to those of core's feature gates
     * @throws ClusterException if the releases of our providers are missing, or that of core cannot be built
     */
    public static LocalRepository assemble(
            Path folder, Path providers, Path root, Binaries binaries, Map<String, String> variables) {
        for (Entry entry : OURS) {
            if (!Files.isDirectory(providers.resolve(entry.label()))) {
                throw new ClusterException("%s contains no release of %s: build one with config/release."
                        .formatted(providers.toAbsolutePath(), entry.label()));
            }
        }
        LocalRepository repository = new LocalRepository(folder.toAbsolutePath(), providers.toAbsolutePath());
        GoModule module = GoModule.clusterApi(root);
        new CoreRelease(module, binaries)
                .write(repository.core().resolve(CORE_LABEL).resolve(module.version()));
        Map<String, String> all = new TreeMap<>(CORE_FEATURES);
        all.putAll(variables);
        try {
            Files.writeString(repository.configuration(), repository.yaml(all));
        } catch (IOException e) {
            throw new ClusterException("Cannot write clusterctl's configuration: " + e, e);
        }
        return repository;
    }

    /** clusterctl's configuration file. */
    public Path configuration() {
        return folder.resolve("clusterctl.yaml");
    }

    private Path core() {
        return folder.resolve("repository");
    }

    private String yaml(Map<String, String> variables) {
        return """
                # Where clusterctl finds the providers; made by the lab.
                providers:
                %s%s
                """.formatted(
                provider(CORE, core())
                        + OURS.stream().map(entry -> provider(entry, providers)).collect(Collectors.joining()),
                variables.entrySet().stream()
                        .map(variable -> "%s: \"%s\"".formatted(variable.getKey(), variable.getValue()))
                        .collect(Collectors.joining("\n")));
    }

    private static String provider(Entry entry, Path base) {
        return """
                - name: %s
                  type: %s
                  url: file://%s/%s/latest/%s
                """.formatted(entry.name(), entry.type(), base, entry.label(), entry.components());
    }
}
