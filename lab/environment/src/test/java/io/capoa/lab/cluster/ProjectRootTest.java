package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectRootTest {

    @TempDir
    private Path elsewhere;

    private Path checkout;

    @BeforeEach
    void makeACheckout() throws IOException {
        checkout = elsewhere.resolve("checkout");
        Files.createDirectories(checkout.resolve("lab/binaries"));
        Files.createDirectories(checkout.resolve("lab/target"));
    }

    @Test
    void whenTheWorkingDirectoryIsWithin_looksUpwards() {
        assertThat(ProjectRoot.find(null, checkout.resolve("lab/target"), Optional.empty()))
                .isEqualTo(checkout);
    }

    @Test
    void whenTheWorkingDirectoryIsOutside_looksWhereTheCodeLies() {
        assertThat(ProjectRoot.find(null, elsewhere, Optional.of(checkout.resolve("lab/target"))))
                .isEqualTo(checkout);
    }

    @Test
    void whenThePropertyNamesACheckout_itWins() {
        assertThat(ProjectRoot.find(checkout.toString(), elsewhere, Optional.empty()))
                .isEqualTo(checkout);
    }

    @Test
    void whenThePropertyNamesAnythingElse_saysSo() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> ProjectRoot.find(elsewhere.toString(), checkout, Optional.empty()))
                .withMessageContaining("capoa.root=" + elsewhere);
    }

    @Test
    void whenThereIsNone_saysWhatToDo() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> ProjectRoot.find(null, elsewhere, Optional.empty()))
                .withMessageContaining("-Dcapoa.root");
    }
}
