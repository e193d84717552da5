package io.capoa.controlplane.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command that authors of clusters run. */
class PlanCommandTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void aClusterWithABlockingFinding_exitsWith1_andIsPrinted() {
        String yaml = PlanFixture.cluster()
                + PlanFixture.hosts()
                        .replaceAll(
                                "(Systems/[23]', credentialsName: bmc-[23]}\\n *rootDeviceHints: )[{].*",
                                "$1{model: disk-0}");

        assertThat(run(yaml, "-")).isEqualTo(1);
        assertThat(text(out)).isEqualTo(PlanFixture.resource("golden.txt"));
        assertThat(text(err)).isEmpty();
    }

    @Test
    void json_hasTheSameFindings() throws IOException {
        assertThat(run(PlanFixture.cluster() + PlanFixture.hosts(), "-", "-o", "json"))
                .isZero();

        JsonNode cluster = new JsonMapper().readTree(text(out)).path("clusters").path(0);
        assertThat(cluster.path("cluster").path("name").asText()).isEqualTo("prod");
        assertThat(cluster.path("hosts")).hasSize(PlanFixture.HOSTS);
        assertThat(cluster.path("names").path(0).path("name").asText()).isEqualTo("api.prod.lab.example");
        JsonNode finding = cluster.path("findings").path(0);
        assertThat(finding.path("check").asText()).isEqualTo("dns-names");
        assertThat(finding.path("severity").asText()).isEqualTo("UNKNOWN");
        assertThat(finding.path("object").path("kind").asText()).isEqualTo("OpenshiftAssistedControlPlane");
        assertThat(List.of("path", "what", "why", "remedy"))
                .allSatisfy(field -> assertThat(finding.path(field).asText()).isNotBlank());
    }

    @Test
    void theExitCode_followsTheSeverity() {
        String good = PlanFixture.cluster() + PlanFixture.hosts();
        String spareless = good.replace("replicas: 2", "replicas: 3");

        assertThat(run(good, "-", "--fail-on", "warning")).isZero();
        assertThat(run(good, "-", "--fail-on", "unknown")).isEqualTo(1);
        assertThat(run(spareless, "-")).isZero();
        assertThat(run(spareless, "-", "--fail-on", "warning")).isEqualTo(1);
    }

    @Test
    void unusableArguments_exitWith2() throws IOException {
        assertThat(run("")).isEqualTo(2);
        assertThat(text(err)).contains("give FILE, --kubeconfig, or both").contains("Run plan --help");
        assertThat(run("", "absent.yaml")).isEqualTo(2);
        assertThat(text(err)).contains("absent.yaml cannot be read: it does not exist");
        assertThat(run("", "--kubeconfig", "absent")).isEqualTo(2);
        assertThat(text(err)).contains("--kubeconfig names absent, which cannot be read");
        assertThat(run("apiVersion: v1\nkind: Namespace\nmetadata: {name: a}", "-"))
                .isEqualTo(2);
        assertThat(text(err)).contains("There is no Cluster whose spec.controlPlaneRef names");
        Path large = Files.write(folder.resolve("large.yaml"), new byte[(4 << 20) + 1]);
        assertThat(run("", large.toString())).isEqualTo(2);
        assertThat(text(err)).contains("large.yaml cannot be read: it is longer than 4 MiB");
    }

    static Stream<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("..", "config", "samples"))) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void theSamples_haveNoBlockingFinding(Path sample) {
        assertThat(run("", sample.toString())).as(text(out) + text(err)).isZero();
        assertThat(text(out)).contains("Cluster default/").contains("\n0 blocking, ");
    }

    @Test
    void whatIsNested1000Levels_isAFinding_andNotRead() {
        assertThat(run("a: " + "[".repeat(1_000) + "]".repeat(1_000), "-")).isEqualTo(1);
        assertThat(text(out)).contains("BLOCKING file-unreadable File -, line 1", "100 levels deep");
    }

    @Test
    void eachCheck_isDescribedInTheDocumentation() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "plan.md"));

        assertThat(Arrays.stream(PlanCheck.values()).map(check -> "| `" + check.id() + "` |"))
                .allSatisfy(row -> assertThat(page).contains(row));
        assertThat(page).contains("```\n" + PlanFixture.resource("golden.txt") + "```\n");
    }

    @Test
    void help_namesTheExitCodes() {
        assertThat(run("", "--help")).isZero();
        assertThat(text(out)).contains("Usage: plan").contains("Exit code: 0 without blocking findings");
    }

    private int run(String in, String... args) {
        return new PlanCommand(
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .execute(List.of(args));
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
