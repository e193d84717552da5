package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be applied is named by file and line. */
class ManifestFileTest {

    private static final String GOOD =
            "# the first document\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: good\n---\n";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        apiVersion: v1~kind: ConfigMap~metadata:~  name: x~ bad: y | 11 | expected <block end>
        apiVersion: v1~kind: ConfigMap~metadata:~\tname: x         | 10 | found character '\\t(TAB)'
        apiVersion: v1~kind: A~kind: B                             | 9  | found duplicate key kind
        just text                                                  | 7  | this is no Kubernetes object: it needs apiVersion and kind
        # a comment~~kind: ConfigMap                               | 9  | this is no Kubernetes object: it needs apiVersion and kind
        apiVersion: v1~kind: ConfigMap                             | 7  | ConfigMap has no metadata.name
        apiVersion: v1~kind: ConfigMap~metadata: [1]               | 7  | metadata: Cannot deserialize value of type
        apiVersion: v1~kind: ConfigMap~data:~  a: {b: c}           | 7  | data.a: Cannot deserialize value of type
        - 1                                                        | 7  | Cannot parse a nested array
        """)
    void aWrongDocument_isNamedByItsLine(String document, int line, String problem) throws IOException {
        Path file = file(GOOD + document.replace('~', '\n').replace("\\t", "\t") + "\n");

        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> ManifestFile.read(file))
                .withMessageStartingWith(file + ":" + line + ": ")
                .satisfies(failure -> assertThat(failure.getMessage().replace("\t", "\\t"))
                        .contains(problem)
                        .doesNotContain("\n"));
    }

    @Test
    void brokenJson_isNamedByItsLine() throws IOException {
        Path file = file("{\n  \"apiVersion\": \"v1\",\n  \"kind\": ,\n");

        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> ManifestFile.read(file))
                .withMessageStartingWith(file + ":3: ");
    }

    @Test
    void aFolder_anAbsentFile_andABinaryFile_areNamed() throws IOException {
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> ManifestFile.read(folder))
                .withMessage("Cannot read " + folder + ": it is a folder.");
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> ManifestFile.read(folder.resolve("absent.yaml")))
                .withMessage("There is no file " + folder.resolve("absent.yaml") + ".");
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> ManifestFile.read(binary))
                .withMessage(binary + " is not text in UTF-8.");
    }

    @Test
    void documentsAndLists_areReadInOrder() throws IOException {
        Path file = file("--- # first\n" + GOOD
                + "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata:\n    name: one\n"
                + "- apiVersion: cluster.x-k8s.io/v1beta2\n  kind: Cluster\n  metadata:\n    name: two\n---\n# end\n");

        assertThat(ManifestFile.read(file))
                .extracting(HasMetadata::getKind)
                .containsExactly("ConfigMap", "Secret", "Cluster");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("file.yaml"), text);
    }
}
