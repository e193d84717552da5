package io.capoa.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that authors of cloud controller managers run. */
class LintCommandTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void goodManifests_exitWith0() {
        assertThat(run("", file("good/aws"))).isZero();
        assertThat(text(out)).isEqualTo("0 blocking, 0 warnings\n");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void warningsAlone_exitWith0_andArePrinted() {
        assertThat(run("", file("broken/limits"))).isZero();
        assertThat(text(out)).isEqualTo("""
                WARNING Deployment openshift-cloud-controller-manager/aws-cloud-controller-manager, spec.template.spec.containers[0].resources.limits
                  resources are limited, and the container is throttled or killed when the cluster grows
                  remedy: remove the limits, keep the requests
                0 blocking, 1 warning
                """);
    }

    @Test
    void aBlockingFinding_exitsWith1() {
        assertThat(run("", file("broken/uninitialized-not-tolerated"))).isEqualTo(1);
        assertThat(text(out))
                .startsWith("BLOCKING Deployment openshift-cloud-controller-manager/aws-cloud-controller-manager,"
                        + " spec.template.spec.tolerations\n")
                .endsWith("1 blocking, 0 warnings\n");
    }

    @Test
    void anAcceptedFinding_exitsWith0_andIsPrintedWithItsReason() {
        run("", file("broken/uninitialized-not-tolerated"));
        String id = text(out)
                .lines()
                .filter(line -> line.startsWith("  finding: "))
                .map(line -> line.substring("  finding: ".length()))
                .findFirst()
                .orElseThrow();
        out.reset();

        assertThat(run("", file("broken/uninitialized-not-tolerated"), "--accept", id + "=the node manager does"))
                .isZero();
        assertThat(text(out))
                .startsWith("ACCEPTED Deployment openshift-cloud-controller-manager/aws-cloud-controller-manager,"
                        + " spec.template.spec.tolerations\n")
                .contains("\n  accepted because: the node manager does\n")
                .endsWith("0 blocking, 0 warnings\n");
        assertThat(run("", file("broken/uninitialized-not-tolerated"), "--accept=" + id + "= "))
                .isEqualTo(1);
        assertThat(run("", file("broken/uninitialized-not-tolerated"), "--accept=other=why"))
                .isEqualTo(1);
        assertThat(text(err)).isEqualTo("No blocking finding is other.\n");
    }

    @Test
    void standardInput_isADash_andSeveralFilesBelongTogether() throws IOException {
        String[] parts = ManifestSets.read("good/aws").text().split("---\n", 2);
        Path second = Files.writeString(folder.resolve("second.yaml"), parts[1]);

        assertThat(run(parts[0], "-", second.toString())).isZero();
    }

    @Test
    void aSingleNode_isAnOption() {
        assertThat(run("", file("good/single-node"), "--single-node")).isZero();
        assertThat(text(out)).isEqualTo("0 blocking, 0 warnings\n");
    }

    @Test
    void unusableArguments_exitWith2() throws IOException {
        assertThat(run("")).isEqualTo(2);
        assertThat(text(err)).contains("Missing required parameter: 'FILE").contains("Run lint-ccm --help");
        assertThat(run("", file("good/aws"), "--none")).isEqualTo(2);
        assertThat(text(err)).contains("Unknown option: '--none'");
        assertThat(run("", folder.resolve("absent.yaml").toString())).isEqualTo(2);
        assertThat(text(err)).contains("absent.yaml cannot be read: it does not exist");
        assertThat(run("", folder.toString())).isEqualTo(2);
        assertThat(text(out)).isEmpty();
    }

    /** Beyond the process's memory if it were read. */
    @Test
    void aFileOf100Megabytes_exitsWith2_andIsNotRead() throws IOException {
        Path sparse = folder.resolve("all.yaml");
        try (var file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(100 << 20);
        }

        assertThat(run("", sparse.toString())).isEqualTo(2);
        assertThat(text(err))
                .contains("all.yaml cannot be read: it is longer than 4 MiB, which no installation takes: split it");
        assertThat(run("a".repeat((4 << 20) + 1), "-")).isEqualTo(2);
    }

    @Test
    void help_namesTheExitCodes() {
        assertThat(run("", "--help")).isZero();
        assertThat(text(out)).contains("Usage: lint-ccm").contains("Exit code: 0 without blocking findings");
    }

    private int run(String in, String... args) {
        return new LintCommand(
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .execute(List.of(args));
    }

    private static String file(String set) {
        return ManifestSets.file(set).toString();
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
