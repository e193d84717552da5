package io.capoa.lab.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
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

        assertThat(Provider.BOOTSTRAP.program(root).command()).contains("-XX:SharedArchiveFile=" + archive);

        assertThat(archive).exists();
    }

    @Test
    void aClassArchiveOfAnOlderJar_isRemoved_soThatTheNextExitMakesAnother() throws IOException {
        write(archive, BUILT.minusSeconds(60));

        assertThat(Provider.BOOTSTRAP.program(root).command()).contains("-XX:SharedArchiveFile=" + archive);

        assertThat(archive).doesNotExist();
        assertThat(jar).exists();
    }

    @Test
    void aClassArchiveOfAnOlderLibrary_isRemoved_too() throws IOException {
        write(archive, BUILT.plusSeconds(60));
        write(jar.resolveSibling("lib").resolve("provider-runtime.jar"), BUILT.plusSeconds(90));

        assertThat(Provider.BOOTSTRAP.program(root).command()).contains("-XX:SharedArchiveFile=" + archive);

        assertThat(archive).doesNotExist();
    }

    private static Path write(Path file, Instant modified) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        return Files.setLastModifiedTime(file, FileTime.from(modified));
    }
}
