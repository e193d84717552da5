package io.capoa.lab.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the programs of a control plane, and makes missing ones.
 *
 * <p>Sources, in this order: the folder in {@code KUBEBUILDER_ASSETS}; the cache in the user's cache directory; the
 * official release of the pinned version, downloaded into that cache; a build from pinned Go modules into it.
 */
public final class Binaries {

    private static final String ASSETS = "KUBEBUILDER_ASSETS";

    private final List<BinarySource> sources;
    private final Function<Set<Tool>, String> supply;
    private final @Nullable String path;
    private final Consumer<String> progress;

    private Binaries(
            List<BinarySource> sources,
            Function<Set<Tool>, String> supply,
            @Nullable String path,
            Consumer<String> progress) {
        this.sources = List.copyOf(sources);
        this.supply = supply;
        this.path = path;
        this.progress = progress;
    }

    /** Programs of these sources; missing ones are not made. */
    Binaries(List<BinarySource> sources) {
        this(sources, tools -> "it is not made here", null, line -> {});
    }

    /** Uses the given environment; says slow steps to {@code progress}. */
    public static Binaries of(Path root, Map<String, String> environment, Consumer<String> progress) {
        BinaryCache cache = BinaryCache.of(root, environment);
        BinarySource assets = tool -> Optional.ofNullable(environment.get(ASSETS))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, tool.executable()))
                .filter(Files::isExecutable);
        String path = environment.get("PATH");
        MakingProgress making = new MakingProgress(Clock.systemUTC(), progress);
        int processors = Runtime.getRuntime().availableProcessors();
        BinarySupply supply = new BinarySupply(
                root,
                cache,
                Downloads.of(environment),
                ReleaseFile.platform(),
                SupervisorScript.onPath("go", path).map(go -> new GoBuild(go, cache, making, processors)),
                making);
        return new Binaries(List.of(assets, cache), supply::provide, path, progress);
    }

    /** As {@link #of}, for this process, with progress on standard error; a failed download is not tried again. */
    public static Binaries ofThisProcess() {
        return OfThisProcess.SHARED;
    }

    /** As {@link #of}, for this process. */
    public static Binaries ofThisProcess(Consumer<String> progress) {
        return of(ProjectRoot.find(), System.getenv(), progress);
    }

    /** Makes the missing ones of these programs together, which takes less time than one after the other. */
    public void provide(Set<Tool> tools) {
        var unused = obstacle(tools);
    }

    /**
     * The program's file.
     *
     * @throws ClusterException if no source has it and it cannot be made
     */
    public Path require(Tool tool) {
        String obstacle = obstacle(Set.of(tool));
        return present(tool)
                .orElseThrow(() -> new ClusterException(
                        "No %s: neither %s nor the cache has it, and it cannot be made: %s. Install Go (https://go.dev/dl), name a mirror in %s, or put the programs into a folder and set %s to it."
                                .formatted(tool.executable(), ASSETS, obstacle, Downloads.VARIABLE, ASSETS)));
    }

    /** The program's file; empty if no source has it and it cannot be made. */
    public Optional<Path> find(Tool tool) {
        String obstacle = obstacle(Set.of(tool));
        Optional<Path> file = present(tool);
        if (file.isEmpty() && tool == Tool.KUBE_CONTROLLER_MANAGER) {
            progress.accept(
                    "Going on without kube-controller-manager (%s): deleted owners leave their objects behind, deleted namespaces stay."
                            .formatted(obstacle));
        }
        return file;
    }

    /** The program's file if it need not be made. */
    public Optional<Path> present(Tool tool) {
        return sources.stream().flatMap(source -> source.get(tool).stream()).findFirst();
    }

    /** A kubectl on the {@code PATH} that renders manifests as the pinned one does. */
    public Optional<Path> installedKubectl() {
        return InstalledKubectl.find(path);
    }

    /** A kubectl that renders manifests: the installed one, else the pinned one. */
    public Path renderingKubectl() {
        return installedKubectl().orElseGet(() -> require(Tool.KUBECTL));
    }

    private String obstacle(Set<Tool> tools) {
        Set<Tool> missing = EnumSet.noneOf(Tool.class);
        tools.stream().filter(tool -> present(tool).isEmpty()).forEach(missing::add);
        return missing.isEmpty() ? "" : supply.apply(missing);
    }

    /** Created on first use. */
    private static final class OfThisProcess {
        static final Binaries SHARED = ofThisProcess(System.err::println);
    }
}
