package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that say how the manager itself reaches registries: a site may have them or not. */
class RegistryAccessTest {

    @TempDir
    Path folder;

    @Test
    void filesThatDoNotExistMeanRegistriesAsTheyAre() throws IOException {
        RegistryAccess access = RegistryAccess.load(folder.resolve("registries.conf"), folder.resolve("ca-bundle.crt"));

        assertThat(access.fingerprint()).isEqualTo(RegistryAccess.direct().fingerprint());
    }

    @Test
    void filesThatExistAreRead() throws IOException {
        Path mirrors = Files.writeString(folder.resolve("registries.conf"), """
                [[registry]]
                location = "quay.io"
                [[registry.mirror]]
                location = "mirror.example:5000"
                """);
        Path authorities = Files.writeString(folder.resolve("ca-bundle.crt"), "PEM");

        RegistryAccess access = RegistryAccess.load(mirrors, authorities);

        assertThat(access.mirrors().fingerprint())
                .isNotEqualTo(RegistryMirrors.none().fingerprint());
        assertThat(access.caBundle()).isEqualTo("PEM");
    }

    @Test
    void aFileThatCannotBeReadIsAnError() {
        assertThatThrownBy(() -> RegistryAccess.load(folder, null)).isInstanceOf(IOException.class);
    }
}
