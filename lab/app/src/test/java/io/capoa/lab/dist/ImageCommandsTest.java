package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands of {@code config/image} refuse. */
class ImageCommandsTest {

    @TempDir
    private Path folder;

    @Test
    void anArchitectureWithoutAJdk_isRefused_withTheVariableToSet() {
        Output other = run(Map.of("CAPOA_JDK_" + other(), ""), "jdk", other().toLowerCase(Locale.ROOT));

        assertThat(other.code()).isEqualTo(2);
        assertThat(other.messages())
                .contains("needs a JDK 25 for Linux on", "unpack one and name its folder in CAPOA_JDK_" + other());
    }

    @Test
    void aJdkOfThisMachine_isNoJdkOfTheOther() {
        Output other = run(
                Map.of("CAPOA_JDK_" + other(), System.getProperty("java.home")),
                "jdk",
                other().toLowerCase(Locale.ROOT));

        assertThat(other.code()).isEqualTo(2);
        assertThat(other.messages()).contains("is not a JDK 25 for Linux on", "CAPOA_JDK_" + other());
    }

    /** A JDK of another processor that cannot be run, as without an emulator. */
    @Test
    void aJdkThatDoesNotRun_andHasNoModules_isRefused_withTheRemedies() throws IOException {
        boolean arm = other().equals("ARM64");
        Files.writeString(
                folder.resolve("release"),
                "JAVA_VERSION=\"25.0.3\"\nOS_ARCH=\"%s\"\n".formatted(arm ? "aarch64" : "x86_64"));
        Path programs = Files.createDirectories(folder.resolve("bin"));
        Files.writeString(programs.resolve("jlink"), "");
        Files.writeString(programs.resolve("java"), "\177ELF");

        Output other = run(Map.of("CAPOA_JDK_" + other(), folder.toString()), "jdk", other().toLowerCase(Locale.ROOT));

        assertThat(other.code()).isEqualTo(2);
        assertThat(other.messages())
                .contains(
                        "/bin/java does not run here",
                        "/jmods has no modules to link from",
                        "qemu-user with binfmt_misc");
    }

    @Test
    void anUnknownArchitecture_isRefused_beforeAnythingIsBuilt() throws IOException {
        Output output = run(Map.of(), "oci", "--arch", "s390x", "--out", folder.toString());

        assertThat(output.code()).isEqualTo(2);
        assertThat(output.messages()).contains("--arch takes amd64, arm64 or both, not \"s390x\".");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void anArchiveThatIsMissing_isNamed_withTheCommandThatBuildsIt() {
        Output output = run(Map.of(), "unpack", folder.resolve("none.oci.tar").toString(), "amd64", folder.toString());

        assertThat(output.code()).isEqualTo(2);
        assertThat(output.messages()).contains("none.oci.tar does not exist: build it with config/image/oci.");
    }

    /** The architecture that this machine does not have. */
    private static String other() {
        return System.getProperty("os.arch").equals("aarch64") ? "AMD64" : "ARM64";
    }

    private static Output run(Map<String, String> environment, String command, String... arguments) {
        List<String> line = Stream.concat(
                        Stream.of(ProjectRoot.find()
                                .resolve("config/image")
                                .resolve(command)
                                .toString()),
                        Stream.of(arguments))
                .toList();
        return Output.of(line, environment, Duration.ofSeconds(30));
    }
}
