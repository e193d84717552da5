package io.capoa.lab.cluster;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the programs of a control plane, and builds or downloads missing ones.
 *
 * <p>Sources, in this order: the folder in {@code KUBEBUILDER_ASSETS}; the cache in the user's cache directory; a build
 * from pinned Go modules into that cache, with Go; the standard envtest archive.
 */
public final class Binaries {

    private static final String ASSETS = "KUBEBUILDER_ASSETS";

    private final List<BinarySource> sources;

    Binaries(List<BinarySource> sources) {
        this.sources = List.copyOf(sources);
    }

    /** Uses the given environment; prints slow steps to {@code progress}. */
    public static Binaries of(Path root, Map<String, String> environment, PrintStream progress) {
        BinaryCache cache = BinaryCache.of(root, environment);
        BinarySource assets = tool -> Optional.ofNullable(environment.get(ASSETS))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, tool.executable()))
                .filter(Files::isExecutable);
        BinarySource makers =
                SupervisorScript.onPath("go", environment.get("PATH")).isPresent()
                        ? new GoBuild(root, cache, progress)
                        : new EnvtestArchive(root, cache, progress, EnvtestArchive.INDEX);
        return new Binaries(List.of(assets, cache, makers));
    }

    /** As {@link #of}, for this process, with progress on standard error. */
    public static Binaries ofThisProcess() {
        return of(ProjectRoot.find(), System.getenv(), System.err);
    }

    /**
     * The program's file.
     *
     * @throws ClusterException if no source has it
     */
    public Path require(Tool tool) {
        return find(tool)
                .orElseThrow(() -> new ClusterException(
                        "No %s: neither %s nor the cache has it, and it cannot be built because Go is not installed (https://go.dev/dl)."
                                .formatted(tool.executable(), ASSETS)));
    }

    /** The program's file; empty if only an archive without it is available. */
    public Optional<Path> find(Tool tool) {
        return sources.stream().flatMap(source -> source.get(tool).stream()).findFirst();
    }
}
