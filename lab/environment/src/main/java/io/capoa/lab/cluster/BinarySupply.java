package io.capoa.lab.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes missing programs, once for all labs of a user: downloads the release files that the repository pins, and builds
 * the other programs with Go.
 */
final class BinarySupply {

    /** Answer if all programs could be made. */
    private static final String NONE = "";

    private final Path root;
    private final BinaryCache cache;
    private final Optional<Downloads> downloads;
    private final String platform;
    private final Optional<GoBuild> go;
    private final MakingProgress progress;

    /** Why no further download is tried. */
    private String noDownloads = NONE;

    BinarySupply(
            Path root,
            BinaryCache cache,
            Optional<Downloads> downloads,
            String platform,
            Optional<GoBuild> go,
            MakingProgress progress) {
        this.root = root;
        this.cache = cache;
        this.downloads = downloads;
        this.platform = platform;
        this.go = go;
        this.progress = progress;
        if (downloads.isEmpty()) {
            noDownloads = Downloads.VARIABLE + " is off";
        }
    }

    /**
     * Makes the programs that the cache lacks.
     *
     * @return why some could not be made, as a clause; empty if all are in the cache
     * @throws ClusterException if a build has failed
     */
    String provide(Set<Tool> tools) {
        if (missing(tools).isEmpty()) {
            return NONE;
        }
        List<String> reasons = new ArrayList<>();
        cache.exclusively(progress, () -> {
            // Another process may have made some meanwhile.
            Set<Tool> missing = missing(tools);
            if (!missing.isEmpty()) {
                progress.expect(missing.size());
                download(missing, reasons);
                missing = missing(tools);
                if (!missing.isEmpty()) {
                    build(missing);
                }
            }
        });
        return missing(tools).isEmpty() ? NONE : String.join("; ", reasons) + "; Go is not installed";
    }

    private void download(Set<Tool> missing, List<String> reasons) {
        Map<Tool, ReleaseFile> files = new EnumMap<>(Tool.class);
        missing.forEach(tool -> ReleaseFile.of(root, tool, platform).ifPresent(file -> files.put(tool, file)));
        Set<Tool> unpinned = EnumSet.copyOf(missing);
        unpinned.removeAll(files.keySet());
        if (!files.isEmpty() && noDownloads.isEmpty()) {
            progress.say("Downloading %s once, which takes about a minute; later starts take seconds: %s."
                    .formatted(count(files.keySet()), names(files.keySet())));
            for (ReleaseFile file : files.values()) {
                if (noDownloads.isEmpty()) {
                    download(file, reasons);
                }
            }
        } else if (!files.isEmpty()) {
            reasons.add(noDownloads);
            progress.say("Not downloaded: " + noDownloads + ".");
        }
        if (!unpinned.isEmpty()) {
            String reason =
                    "lab/binaries/checksums.tsv pins no release of %s for %s".formatted(names(unpinned), platform);
            reasons.add(reason);
            progress.say("Not downloaded: " + reason + ".");
        }
    }

    private void download(ReleaseFile file, List<String> reasons) {
        String program = file.tool().executable();
        Downloads source = downloads.orElseThrow();
        progress.begin("downloading %s %s from %s"
                .formatted(program, file.version(), source.address(file).getHost()));
        try {
            var unused = cache.make(file.tool(), (BinaryCache.Maker<DownloadFailure>) target -> source.fetch(
                    file,
                    target,
                    (bytes, size) ->
                            progress.stillMaking("downloading " + program, new DownloadExpectation(bytes, size))));
            progress.finish("downloaded " + program);
        } catch (DownloadFailure e) {
            String reason = Objects.requireNonNull(e.getMessage());
            reasons.add(reason);
            progress.fail("not downloaded: " + reason);
            if (e.isConnection()) {
                noDownloads = reason;
            }
        }
    }

    private void build(Set<Tool> missing) {
        go.ifPresent(builder -> {
            progress.say("Building %s with Go once, %s; later starts take seconds: %s."
                    .formatted(count(missing), builder.expected(missing), names(missing)));
            Map<GoRecipe, Set<Tool>> recipes = new LinkedHashMap<>();
            missing.forEach(
                    tool -> recipes.computeIfAbsent(GoRecipe.of(root, tool), recipe -> EnumSet.noneOf(Tool.class))
                            .add(tool));
            recipes.forEach(builder::build);
        });
    }

    private Set<Tool> missing(Set<Tool> tools) {
        return tools.stream()
                .filter(tool -> cache.get(tool).isEmpty())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Tool.class)));
    }

    private static String count(Set<Tool> tools) {
        return tools.size() == 1 ? "1 program" : tools.size() + " programs";
    }

    /** Such as {@code etcd, kube-apiserver and kubectl}. */
    static String names(Set<Tool> tools) {
        List<String> names = tools.stream().map(Tool::executable).toList();
        int last = names.size() - 1;
        return last <= 0
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }
}
