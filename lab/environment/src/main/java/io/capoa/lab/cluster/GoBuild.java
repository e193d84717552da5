package io.capoa.lab.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Builds programs with Go from the modules that {@code lab/binaries} pins, into the cache. */
final class GoBuild {

    private static final String WORK = ".build-";
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private final Path go;
    private final BinaryCache cache;
    private final MakingProgress progress;
    private final int processors;

    /**
     * Creates a builder.
     *
     * @param go the executable
     * @param processors on which the expected time depends
     */
    GoBuild(Path go, BinaryCache cache, MakingProgress progress, int processors) {
        this.go = go;
        this.cache = cache;
        this.progress = progress;
        this.processors = processors;
    }

    /** How long a build takes here that finds nothing in Go's build cache, such as "about 4 min on 2 idle cores". */
    String expected(Set<Tool> tools) {
        return "about %s on %d idle %s".formatted(minutes(tools), processors, processors == 1 ? "core" : "cores");
    }

    /**
     * Builds programs of one recipe by one command, so that what they share is loaded and compiled once. Each is in the
     * cache as soon as it is linked; what an interrupted build has compiled stays in Go's build cache.
     */
    void build(GoRecipe recipe, Set<Tool> tools) {
        Path log = cache.folder(recipe).resolve("go-build.log");
        Set<Tool> missing = EnumSet.copyOf(tools);
        progress.begin("building %s %s with Go".formatted(names(tools), recipe.version()));
        try {
            Files.createDirectories(cache.folder(recipe));
            deleteLeftovers(cache.folder(recipe));
            Files.deleteIfExists(log);
            Path work = Files.createTempDirectory(cache.folder(recipe), WORK);
            // In the same file system as the programs, so that Go renames them when they are whole.
            Path temporary = Files.createDirectories(work.resolve("tmp"));
            Path built = Files.createDirectories(work.resolve("bin"));
            try (ChildProcess build = ChildCommand.of("go build", log, command(recipe, tools, built))
                    .inDirectory(recipe.folder())
                    .withEnvironment(environment(temporary))
                    .start(exit -> {})) {
                while (!hasEnded(build)) {
                    takeOver(built, missing);
                    progress.stillMaking(
                            "building " + names(missing),
                            elapsed -> "%s of about %s on an idle machine"
                                    .formatted(MakingProgress.text(elapsed), minutes(missing)));
                }
                takeOver(built, missing);
                if (!missing.isEmpty()) {
                    throw new ClusterException(
                            "Cannot build %s. %s%nGo needs access to its module proxy the first time."
                                    .formatted(names(missing), build.exit().describe()));
                }
            }
            Files.deleteIfExists(log);
            deleteAll(work);
        } catch (IOException e) {
            throw cache.unwritable(names(missing), e);
        }
    }

    /** Moves what is linked into the cache. */
    private void takeOver(Path built, Set<Tool> missing) {
        for (Tool tool : EnumSet.copyOf(missing)) {
            Path program = built.resolve(tool.builtName());
            if (Files.isExecutable(program)) {
                var unused = cache.<RuntimeException>make(
                        tool, file -> Files.move(program, file, StandardCopyOption.ATOMIC_MOVE));
                missing.remove(tool);
                progress.finish("built " + tool.executable());
            }
            if (missing.isEmpty()) {
                return;
            }
        }
    }

    private List<String> command(GoRecipe recipe, Set<Tool> tools, Path built) {
        List<String> command = new ArrayList<>(List.of(
                go.toString(),
                "build",
                "-mod=readonly",
                "-trimpath",
                "-buildvcs=false",
                // The linker would drop the debugging information.
                "-gcflags=all=-dwarf=false",
                "-ldflags=" + recipe.linkerFlags(tools.iterator().next()),
                "-o=" + built.toAbsolutePath() + "/"));
        tools.forEach(tool -> command.add(tool.goPackage()));
        return command;
    }

    private static Map<String, String> environment(Path temporary) {
        return Map.of(
                "CGO_ENABLED", "0",
                "GOFLAGS", "",
                "GOWORK", "off",
                // The compiler is a short process: it spends less time on collecting garbage, within bounds.
                "GOGC", "400",
                "GOMEMLIMIT", "2GiB",
                "GOTMPDIR", temporary.toAbsolutePath().toString());
    }

    private static boolean hasEnded(ChildProcess build) throws IOException {
        try {
            var unused = build.ended().get(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while Go was building.", e);
        }
    }

    private String minutes(Set<Tool> tools) {
        int seconds = tools.stream().mapToInt(GoBuild::processorSeconds).sum() / processors;
        return Math.max(1, Math.round(seconds / 60f)) + " min";
    }

    /** Processor time with an empty build cache; of programs of one recipe the first also compiles what they share. */
    private static int processorSeconds(Tool tool) {
        return switch (tool) {
            case KUBE_APISERVER -> 265;
            case KUBE_CONTROLLER_MANAGER -> 66;
            case KUBECTL -> 56;
            case ETCD -> 54;
            case CLUSTER_API_CORE, CLUSTERCTL, KUBE_STATE_METRICS -> 60;
        };
    }

    private static String names(Set<Tool> tools) {
        return BinarySupply.names(tools);
    }

    /** Deletes what an interrupted build has left, unless its last processes are still writing there. */
    private static void deleteLeftovers(Path folder) throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder, WORK + "*")) {
            for (Path leftover : leftovers) {
                try {
                    deleteAll(leftover);
                } catch (IOException e) {
                    // The next build deletes it.
                }
            }
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }
}
