package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lab/binaries/pin} on a mirror that has the publishers' checksum files. */
class PinTest {

    private static final Path BINARIES = ProjectRoot.find().resolve("lab/binaries");

    @TempDir
    private Path folder;

    private Path copy;
    private Path mirror;

    @BeforeEach
    void copyWithoutPins() throws IOException {
        copy = Files.createDirectory(folder.resolve("binaries"));
        mirror = folder.resolve("mirror");
        Files.copy(BINARIES.resolve("pin"), copy.resolve("pin"), StandardCopyOption.COPY_ATTRIBUTES);
        for (String recipe : List.of("kubernetes", "etcd")) {
            Files.createDirectory(copy.resolve(recipe));
            Files.copy(
                    BINARIES.resolve(recipe).resolve("go.mod"),
                    copy.resolve(recipe).resolve("go.mod"));
        }
        List<String> committed = Files.readAllLines(BINARIES.resolve("checksums.tsv"));
        Files.write(
                copy.resolve("checksums.tsv"),
                committed.stream().filter(line -> line.startsWith("#")).toList());
        for (String line : committed) {
            if (!line.startsWith("#")) {
                publish(line.split("\t", -1));
            }
        }
    }

    @Test
    void writesTheCommittedTable() throws Exception {
        assertThat(pin()).isEmpty();

        assertThat(copy.resolve("checksums.tsv")).hasSameTextualContentAs(BINARIES.resolve("checksums.tsv"));
    }

    @Test
    void whenAChecksumIsMissing_changesNothing() throws Exception {
        try (var files = Files.walk(mirror)) {
            Files.delete(files.filter(file -> file.endsWith("kube-controller-manager.sha256"))
                    .findFirst()
                    .orElseThrow());
        }
        String before = Files.readString(copy.resolve("checksums.tsv"));

        assertThat(pin()).contains("kube-controller-manager.sha256; checksums.tsv is unchanged.");

        assertThat(copy.resolve("checksums.tsv")).hasContent(before);
    }

    private void publish(String[] cells) throws IOException {
        Path file = mirror.resolve(cells[4].replaceFirst("^https://", ""));
        Files.createDirectories(file.getParent());
        if (cells[0].equals("etcd")) {
            Files.writeString(
                    file.resolveSibling("SHA256SUMS"),
                    "%s  %s%n".formatted(cells[3], file.getFileName()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } else {
            Files.writeString(file.resolveSibling(file.getFileName() + ".sha256"), cells[3]);
        }
    }

    /** What the command prints. */
    private String pin() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(copy.resolve("pin").toString()).redirectErrorStream(true);
        builder.environment().put("CAPOA_DOWNLOADS", mirror.toUri().toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor() == 0).isEqualTo(said.isEmpty());
        return said;
    }
}
