package io.capoa.lab.cluster;

import io.capoa.lab.steady.SetClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A checkout that pins small programs, an empty cache, a Go that a test writes as a shell script, and a set clock. */
final class SupplyFixture {

    /** Long enough for a starved machine, except that files must be small. */
    static final Downloads.Limits PATIENT = new Downloads.Limits(Duration.ofMinutes(1), Duration.ofMinutes(1), 1 << 16);

    /** A Go that writes every program at once. */
    static final String QUICK_GO = """
        for package in "$@"; do case $package in */cmd/*|.) program ${package##*/} ;; esac; done
        """;

    private static final String PLATFORM = "linux-amd64";

    final Path root;
    final BinaryCache cache;
    final SetClock clock = new SetClock();
    final List<String> said = new CopyOnWriteArrayList<>();
    final Path go;

    /** Reacts to what is said. */
    volatile Consumer<String> listener = line -> {};

    private final Path folder;

    SupplyFixture(Path folder) throws IOException {
        this.folder = folder;
        root = folder.resolve("checkout");
        cache = BinaryCache.of(root, environment());
        go = folder.resolve("go");
        recipe("kubernetes", "k8s.io/kubernetes v1.2.3");
        recipe("etcd", "go.etcd.io/etcd/server/v3 v3.2.1");
        Files.writeString(table(), "# checksums\n");
        go(QUICK_GO);
    }

    Map<String, String> environment() {
        return Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    private Path table() {
        return root.resolve("lab/binaries/checksums.tsv");
    }

    private void recipe(String name, String requirement) throws IOException {
        Path recipe = Files.createDirectories(root.resolve("lab/binaries").resolve(name));
        Files.writeString(recipe.resolve("go.mod"), "module %s%n%nrequire %s%n".formatted(name, requirement));
        Files.writeString(recipe.resolve("go.sum"), "");
    }

    /** Pins a release file by the checksum of its content. */
    void pin(Tool tool, String fileName, byte[] content) throws IOException {
        Files.writeString(
                table(),
                "%s\t%s\t%s\t%s\thttps://publisher.example/release/%s%n"
                        .formatted(
                                tool.executable(),
                                GoRecipe.of(root, tool).version(),
                                PLATFORM,
                                sha256(content),
                                fileName),
                StandardOpenOption.APPEND);
    }

    void pin(Tool tool, String content) throws IOException {
        pin(tool, tool.executable(), content.getBytes(StandardCharsets.UTF_8));
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the Go; its function {@code program NAME} makes a program as the last step of a link does. */
    void go(String script) throws IOException {
        Files.writeString(go, """
            #!/bin/sh
            for argument in "$@"; do case $argument in -o=*) out=${argument#-o=} ;; esac; done
            here=%s
            echo "$PWD $*" >>$here/calls
            program() {
              name=$1
              [ "$name" != . ] || name=etcd
              echo "$name of Go" >$GOTMPDIR/$name
              chmod +x $GOTMPDIR/$name
              mv $GOTMPDIR/$name $out$name
            }
            """.formatted(folder) + script);
        Files.setPosixFilePermissions(go, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The commands that Go was given. */
    List<String> goCalls() throws IOException {
        Path calls = folder.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    /** A file that the script of Go finds as {@code $here/NAME}. */
    Path signal(String name) {
        return folder.resolve(name);
    }

    BinarySupply withGo(Optional<Downloads> downloads) {
        MakingProgress progress = progress();
        return new BinarySupply(
                root, cache, downloads, PLATFORM, Optional.of(new GoBuild(go, cache, progress, 2)), progress);
    }

    BinarySupply withoutGo(Optional<Downloads> downloads) {
        return new BinarySupply(root, cache, downloads, PLATFORM, Optional.empty(), progress());
    }

    MakingProgress progress() {
        return new MakingProgress(clock, line -> {
            said.add(line);
            listener.accept(line);
        });
    }
}
