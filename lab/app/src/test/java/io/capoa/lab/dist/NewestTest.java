package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/newest} in a small checkout, with stand-ins for Maven and the suites. */
class NewestTest {

    private static final String TABLE = """
            | dependency | in the build | newest tried | suites | on |
            | --- | --- | --- | --- | --- |
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void writesACheckout() throws IOException {
        for (String script : List.of(".ci/newest", ".ci/lib.sh")) {
            write(script, Files.readString(ProjectRoot.find().resolve(script)));
        }
        write(".github/workflows/newest.yml", "        name: [josdk.version, kubernetes]\n");
        write("pom.xml", "    <josdk.version>5.3.2</josdk.version>\n");
        write("lab/binaries/kubernetes/go.mod", "require k8s.io/kubernetes v1.36.3\n");
        write("docs/versions.md", "# Versions\n\n" + TABLE + """
                | `kubernetes` | 1.36.2 | 1.37.0 | fail | 2026-11-01 |
                | `gone` | 1 | 2 | pass | 2026-11-01 |

                | java-operator-sdk | 5.3.2 |
                """);
        write("bin/mvn", "#!/bin/sh\nsed -i s/5.3.2/5.4.0/ pom.xml\n");
        write(".ci/suites", "#!/bin/sh\ngrep sdk docs/versions.md\nexit $FAILED\n");
        command(Map.of(), "git", "init", "-q");
        command(Map.of(), "git", "add", ".");
    }

    @Test
    void theTable_getsTheVersionsOfTheBuild_andKeepsTheLastTries() throws IOException {
        newest("--table", 0).orThrow();

        assertThat(folder.resolve("docs/versions.md")).hasContent("# Versions\n\n" + TABLE + """
                | `josdk.version` | 5.3.2 | - | - | - |
                | `kubernetes` | 1.36.3 | 1.37.0 | fail | 2026-11-01 |

                | java-operator-sdk | 5.3.2 |
                """);
    }

    @Test
    void aNewerRelease_thatPasses_isThatOfTheBuild() throws IOException {
        Output tried = newest("josdk.version", 0).orThrow();

        assertThat(tried.text())
                .contains("+    <josdk.version>5.4.0</josdk.version>", "| java-operator-sdk | 5.4.0 |", TABLE);
        assertThat(Files.readString(folder.resolve("docs/versions.md")))
                .containsPattern("\n\\| `josdk.version` \\| 5.4.0 \\| 5.4.0 \\| pass \\| \\d{4}-\\d\\d-\\d\\d \\|\n");
    }

    @Test
    void aNewerRelease_thatFails_isNamedBesideThatOfTheBuild() throws IOException {
        Output tried = newest("josdk.version", 1);

        assertThat(tried.code()).isEqualTo(1);
        assertThat(tried.text()).contains("| `josdk.version` | 5.3.2 | 5.4.0 | fail | ");
        assertThat(Files.readString(folder.resolve("docs/versions.md")))
                .contains("\n| `josdk.version` | 5.3.2 | 5.4.0 | fail | ", "\n| java-operator-sdk | 5.3.2 |");
    }

    @Test
    void theNewest_needsNoSuites() throws IOException {
        write("bin/mvn", "#!/bin/sh\n");

        newest("josdk.version", 1).orThrow();

        assertThat(Files.readString(folder.resolve("docs/versions.md")))
                .contains("\n| `josdk.version` | 5.3.2 | 5.3.2 | as built | ");
    }

    private Output newest(String argument, int failed) {
        return command(
                Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"), "FAILED", "" + failed),
                folder.resolve(".ci/newest").toString(),
                argument);
    }

    private Output command(Map<String, String> environment, String... words) {
        List<String> line = List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", folder.toString());
        List<String> all = new ArrayList<>(line);
        all.addAll(List.of(words));
        return Output.of(all, environment, Duration.ofSeconds(30));
    }

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
