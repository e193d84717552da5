package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.Binaries;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds a release of our two providers, without images. */
public final class ReleaseBuild {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private ReleaseBuild() {}

    /**
     * Runs {@code config/release}.
     *
     * @param version such as {@code v0.2.0}
     * @param folder target, with other releases in the layout of clusterctl's local repositories
     * @param more further arguments
     */
    public static Path manifests(Path root, Binaries binaries, String version, Path folder, String... more) {
        List<String> command = new ArrayList<>(List.of(
                root.resolve("config").resolve("release").toString(),
                "--manifests-only",
                "--version",
                version,
                "--out",
                folder.toAbsolutePath().toString()));
        command.addAll(List.of(more));
        Output.of(command, Map.of("KUBECTL", binaries.renderingKubectl().toString()), LIMIT)
                .orThrow();
        return folder.toAbsolutePath();
    }
}
