package io.capoa.lab.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lab of a release, unpacked, on a machine without Maven and without this checkout. */
@Tag("full")
class LabArchiveTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    @TempDir
    private static Path folder;

    private record Ended(int code, String text) {}

    @BeforeAll
    static void pack() throws Exception {
        Path archive = folder.resolve("lab.tar.gz");
        assertThat(run(ROOT, "config/lab-archive", archive.toString())).isEqualTo(new Ended(0, ""));
        assertThat(run(folder, "tar", "-xzf", archive.toString())).isEqualTo(new Ended(0, ""));
    }

    @Test
    void itsCommandsStart_withoutABuild() throws Exception {
        Path lab = folder.resolve("capoa-lab");

        assertThat(run(lab, "lab/up", "--help"))
                .isEqualTo(new Ended(
                        0, Files.readString(ROOT.resolve("lab/up-help.txt")).strip()));
        Ended conformance = run(lab, "lab/conformance", "nowhere.yaml");
        assertThat(conformance.code()).isEqualTo(2);
        assertThat(conformance.text())
                .contains(
                        "there is no file " + lab.toRealPath().resolve("nowhere.yaml"),
                        "give metal3, lab-cloud, or a file that describes your provider")
                .doesNotContain("Building");
    }

    @Test
    void itHasWhatALabReads() {
        Path lab = folder.resolve("capoa-lab");

        for (String file : List.of(
                "pom.xml",
                "lab/binaries/checksums.tsv",
                "config/jvm.options",
                "config/samples/multinode.yaml",
                "bootstrap-provider/target/bootstrap-provider.jar",
                "controlplane-provider/target/controlplane-provider.jar",
                "LICENSE")) {
            assertThat(lab.resolve(file)).isRegularFile();
        }
        assertThat(lab.resolve("dist/bootstrap-openshift-assisted")).isNotEmptyDirectory();
        assertThat(lab.resolve("dist/control-plane-openshift-assisted")).isNotEmptyDirectory();
        assertThat(lab.resolve("crds")).isNotEmptyDirectory();
    }

    /** With this JDK, wherever it is. */
    private static Ended run(Path directory, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA25_HOME", System.getProperty("java.home"));
        builder.environment().put("PATH", "/usr/bin:/bin");
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), text.strip());
    }
}
