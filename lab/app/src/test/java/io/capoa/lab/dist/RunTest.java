package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/run} with stand-ins for the programs that it runs. */
class RunTest {

    private static final String SUITES = """
            echo "suites $1" >>calls
            grep -qx "$1" failing || exit 0
            echo "[INFO] much of the $1 build"
            echo "FAILED (module) io.x.XTest.of_$1: no"
            exit 1
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void aCheckout() throws IOException {
        program("run", Files.readString(ProjectRoot.find().resolve(".ci/run")));
        program("checks", "#!/usr/bin/env bash\necho checks >>calls\n");
        program("suites", "#!/usr/bin/env bash\n" + SUITES);
        program("images", "#!/usr/bin/env bash\necho images >>calls\n");
    }

    @Test
    void aFailureOfTheFirstTier_isSaidAgainAtTheEnd() throws Exception {
        assertThat(run("fast")).isOne();

        assertThat(said().lines().toList())
                .endsWith(
                        "run: the fast suites failed (the whole output is in target/fast.log):",
                        "FAILED (module) io.x.XTest.of_fast: no");
        assertThat(calls()).isEqualTo("checks\nsuites fast\nsuites slow\n");
    }

    @Test
    void whenAllPass_theImagesAreBuilt() throws Exception {
        assertThat(run("")).as(said()).isZero();

        assertThat(calls()).isEqualTo("checks\nsuites fast\nsuites slow\nsuites k3s\nimages\n");
    }

    private String said() throws IOException {
        return Files.readString(folder.resolve("said"));
    }

    private String calls() throws IOException {
        return Files.readString(folder.resolve("calls"));
    }

    /** @param failing the tier that fails */
    private int run(String failing) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("failing"), failing);
        Process process = new ProcessBuilder(folder.resolve(".ci/run").toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.createDirectories(folder.resolve(".ci")).resolve(name);
        Files.writeString(file, text, StandardCharsets.UTF_8);
        var unused = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
