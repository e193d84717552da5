package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.GoModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The release files of Cluster API core, built from the pinned module's kustomization as its publisher does. */
final class CoreRelease {

    /** Name of the image in a release, without its tag. */
    static final String IMAGE = "registry.k8s.io/cluster-api/cluster-api-controller";

    static final String COMPONENTS = "core-components.yaml";

    private static final Pattern STAGING_IMAGE =
            Pattern.compile("image: \\S+/cluster-api-controller:\\S+", Pattern.MULTILINE);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final GoModule module;
    private final Binaries binaries;

    CoreRelease(GoModule module, Binaries binaries) {
        this.module = module;
        this.binaries = binaries;
    }

    /** Writes the files of the release into a folder. */
    void write(Path folder) {
        Path files = module.files();
        String rendered = Output.of(
                        List.of(
                                binaries.renderingKubectl().toString(),
                                "kustomize",
                                files.resolve("core/config/default").toString()),
                        Map.of(),
                        LIMIT)
                .orThrow()
                .text();
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(COMPONENTS), released(rendered, module.version()));
            Files.copy(
                    files.resolve("metadata.yaml"),
                    folder.resolve("metadata.yaml"),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ClusterException("Cannot write Cluster API's release into %s: %s".formatted(folder, e), e);
        }
    }

    /** Replaces the image of the branch by that of the release, with pull policy IfNotPresent. */
    static String released(String components, String version) {
        return STAGING_IMAGE
                .matcher(components)
                .replaceAll("image: " + IMAGE + ":" + version)
                .replace("imagePullPolicy: Always", "imagePullPolicy: IfNotPresent");
    }
}
