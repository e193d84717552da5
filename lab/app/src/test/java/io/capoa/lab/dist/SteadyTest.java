package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/steady} with a stand-in for Maven, whose suite fails in the rounds that a test names. */
class SteadyTest {

    private static final String MAVEN = """
        #!/usr/bin/env bash
        case "$*" in *process-classes*) exit 0 ;; esac
        echo "$@" >>calls
        sleep 0.1
        reports=module/target/surefire-reports
        mkdir -p "$reports" module/target/failures/io.x.FlickeringTest.once
        cat >"$reports/TEST-io.x.FlickeringTest.xml" <<EOF
        <testsuite name="io.x.FlickeringTest">
          <testcase name="always" classname="io.x.FlickeringTest" time="0.1"/>
          <testcase name="once" classname="io.x.FlickeringTest" time="0.1">
        $(if grep -qx "$(wc -l <calls)" failing; then echo '    <failure message="no">no</failure>'; fi)
          </testcase>
        </testsuite>
        EOF
        """;
    private static final Pattern SEED = Pattern.compile("-Dcapoa.steady.seed=(\\d+)");

    @TempDir
    private Path folder;

    @BeforeEach
    void aCheckout() throws IOException {
        Files.createDirectories(folder.resolve(".ci"));
        Files.copy(ProjectRoot.find().resolve(".ci/steady"), folder.resolve(".ci/steady"));
        Files.createDirectories(folder.resolve("lab/environment/target/classes/io/capoa/lab/steady"));
        Path maven = Files.createDirectories(folder.resolve("bin")).resolve("mvn");
        Files.writeString(maven, MAVEN);
        var unused = Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void aTestThatFailsInOneRound_isNamedWithItsSeed() throws Exception {
        Ended ended = steady("2\n", "3", "-Dtest=FlickeringTest", "verify");

        assertThat(ended.code()).as(ended.said()).isOne();
        assertThat(seeds()).hasSize(3).doesNotHaveDuplicates();
        assertThat(ended.said()
                        .lines()
                        .skip(ended.said().lines().toList().indexOf("steady: failed at least once:") + 1))
                .containsExactly("  io.x.FlickeringTest.once (round 2, seed " + seeds().get(1) + ")");
        assertThat(folder.resolve("target/steady/round-2/failures/io.x.FlickeringTest.once"))
                .isDirectory();
    }

    @Test
    void whenNoTestFails_bothTiersHaveRunInEachRound() throws Exception {
        Ended ended = steady("", "2");

        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ended.said()).endsWith("steady: no suite failed in 2 rounds\n");
        assertThat(Files.readAllLines(folder.resolve("calls")))
                .hasSize(4)
                .allSatisfy(call -> assertThat(call).endsWith(" verify"))
                .filteredOn(call -> call.contains("-Pfull"))
                .hasSize(2);
        assertThat(seeds()).hasSize(4);
        assertThat(seeds().get(0)).isEqualTo(seeds().get(1));
    }

    @Test
    void itsNeighbours_endWithIt() throws Exception {
        Ended ended = steady("", "1", "verify");

        assertThat(ended.code()).as(ended.said()).isZero();
        assertThat(ProcessHandle.allProcesses()
                        .map(process -> process.info().commandLine().orElse(""))
                        .filter(line -> line.contains(folder.toString())))
                .isEmpty();
    }

    private List<String> seeds() throws IOException {
        List<String> seeds = new ArrayList<>();
        Matcher matcher = SEED.matcher(Files.readString(folder.resolve("calls")));
        while (matcher.find()) {
            seeds.add(matcher.group(1));
        }
        return seeds;
    }

    private record Ended(int code, String said) {}

    /** @param failing numbers of Maven's runs in which the suite fails, a line for each */
    private Ended steady(String failing, String... arguments) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("failing"), failing);
        List<String> command =
                new ArrayList<>(List.of(folder.resolve(".ci/steady").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("SEED");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), said);
    }
}
