package io.capoa.lab.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of a provider in the lab. */
class ProviderTest {

    private static final Instant BUILT = Instant.parse("2026-01-01T00:00:00Z");

    private final Path root;
    private final Path jar;
    private final Path archive;

    ProviderTest(@TempDir Path root) throws IOException {
        this.root = root;
        this.jar = write(Provider.BOOTSTRAP.jar(root), BUILT);
        this.archive = jar.resolveSibling("bootstrap-provider.jsa");
    }

    @Test
    void aClassArchiveOfTheJar_isUsed() throws IOException {
        write(archive, BUILT.plusSeconds(60));

        assertThat(command()).contains("-XX:SharedArchiveFile=" + archive);

        assertThat(archive).exists();
    }

    @Test
    void aClassArchiveOfAnOlderJar_isRemoved_soThatTheNextExitMakesAnother() throws IOException {
        write(archive, BUILT.minusSeconds(60));

        assertThat(command()).contains("-XX:SharedArchiveFile=" + archive);

        assertThat(archive).doesNotExist();
        assertThat(jar).exists();
    }

    @Test
    void aClassArchiveOfAnOlderLibrary_isRemoved_too() throws IOException {
        write(archive, BUILT.plusSeconds(60));
        write(jar.resolveSibling("lib").resolve("provider-runtime.jar"), BUILT.plusSeconds(90));

        assertThat(command()).contains("-XX:SharedArchiveFile=" + archive);

        assertThat(archive).doesNotExist();
    }

    @Test
    void withAnAgent_thereIsNoClassArchive() {
        assertThat(Provider.BOOTSTRAP
                        .program(root, List.of("-javaagent:agent.jar"))
                        .command())
                .contains("-javaagent:agent.jar")
                .noneMatch(option -> option.contains("SharedArchiveFile"));
    }

    private List<String> command() {
        return Provider.BOOTSTRAP.program(root, List.of()).command();
    }

    private static Path write(Path file, Instant modified) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        return Files.setLastModifiedTime(file, FileTime.from(modified));
    }
}
