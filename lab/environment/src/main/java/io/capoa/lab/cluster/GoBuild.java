package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Builds programs from the Go modules that {@code lab/binaries} pins, into the cache. */
final class GoBuild implements BinarySource {

    private static final Duration BETWEEN_SIGNS_OF_LIFE = Duration.ofSeconds(15);

    private final Path root;
    private final BinaryCache cache;
    private final PrintStream progress;

    private int begun;

    GoBuild(Path root, BinaryCache cache, PrintStream progress) {
        this.root = root;
        this.cache = cache;
        this.progress = progress;
    }

    @Override
    public Optional<Path> get(Tool tool) {
        return Optional.of(cache.make(tool, half -> build(tool, half)));
    }

    private void build(Tool tool, Path target) throws IOException {
        GoRecipe recipe = GoRecipe.of(root, tool);
        int number = ++begun;
        int count = begun - 1 + missing(tool);
        progress.printf(
                "[%d/%d] building %s %s from Go modules (this takes minutes, once)%n",
                number, count, tool.executable(), recipe.version());
        Path log = target.resolveSibling(tool.executable() + ".build.log");
        Files.deleteIfExists(log);
        long start = System.nanoTime();
        try (ChildProcess build = ChildCommand.of("go build " + tool.executable(), log, command(tool, recipe, target))
                .inDirectory(recipe.folder())
                .withEnvironment(Map.of("CGO_ENABLED", "0", "GOFLAGS", "", "GOWORK", "off"))
                .start(exit -> {})) {
            int code = await(build, number, count, tool, start);
            if (code != 0) {
                throw new ClusterException("Cannot build %s. %s%nGo needs access to its module proxy the first time."
                        .formatted(tool.executable(), build.exit().describe()));
            }
        }
        Files.deleteIfExists(log);
        progress.printf("[%d/%d] built %s in %d s%n", number, count, tool.executable(), secondsSince(start));
    }

    /** Number of programs still to be built; optional ones count only if requested. */
    private int missing(Tool wanted) {
        return (int) Stream.of(Tool.values())
                .filter(tool -> tool == wanted || tool.always())
                .filter(tool -> cache.get(tool).isEmpty())
                .count();
    }

    private static List<String> command(Tool tool, GoRecipe recipe, Path target) {
        return List.of(
                "go",
                "build",
                "-mod=readonly",
                "-trimpath",
                "-ldflags",
                recipe.linkerFlags(tool),
                "-o",
                target.toAbsolutePath().toString(),
                tool.goPackage());
    }

    private int await(ChildProcess build, int number, int count, Tool tool, long start) throws IOException {
        while (true) {
            try {
                return build.ended().get(BETWEEN_SIGNS_OF_LIFE.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                progress.printf(
                        "[%d/%d] still building %s, %d s%n", number, count, tool.executable(), secondsSince(start));
            } catch (ExecutionException e) {
                throw new IOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterException("Interrupted while building " + tool.executable() + ".", e);
            }
        }
    }

    private static long secondsSince(long start) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }
}
