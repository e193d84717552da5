package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.Neighbour;
import io.capoa.lab.RealService;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

class CastTest {

    @TempDir
    private Path folder;

    @Test
    void withoutOptions_allAreSimulated() {
        assertThat(Cast.of(List.of(), List.of())).isEqualTo(Cast.SIMULATED);
    }

    @Test
    void anOmittedNeighbour_isVacant() {
        Cast cast = Cast.of(List.of("cluster-api"), List.of("hosts", "metal3"));

        assertThat(cast.clusterApi()).isTrue();
        assertThat(cast.absent()).containsExactlyInAnyOrder(Neighbour.CLUSTER_API, Neighbour.METAL3, Neighbour.HOSTS);
        assertThat(cast.vacant()).containsExactly(Neighbour.METAL3, Neighbour.HOSTS);
    }

    @Test
    void anUnknownNeighbour_isRefused_withTheListOfThoseThereAre() {
        refused(List.of(), List.of("coffee"))
                .withMessageContaining("coffee")
                .withMessageContaining("cluster-api, metal3, assisted-service, hosts, registry");
        refused(List.of("hosts"), List.of())
                .withMessageContaining("--with takes cluster-api, metal3=DIR or assisted-service=URL")
                .withMessageContaining("--without");
    }

    @Test
    void aNeighbourThatIsBothRealAndOmitted_isRejected() {
        refused(List.of("cluster-api"), List.of("cluster-api")).withMessageContaining("contradict");
    }

    @Test
    void metal3_needsItsTwoExecutables() throws IOException {
        refused(List.of("metal3"), List.of()).withMessageContaining("--with metal3=DIR");
        refused(List.of("metal3=" + folder), List.of()).withMessageContaining("cluster-api-provider-metal3");
        executable("cluster-api-provider-metal3");
        refused(List.of("metal3=" + folder), List.of()).withMessageContaining("baremetal-operator");
        executable("baremetal-operator");

        Cast cast = Cast.of(List.of("metal3=" + folder), List.of());

        assertThat(cast.metal3()).contains(folder.toAbsolutePath());
        assertThat(cast.absent()).containsExactly(Neighbour.METAL3);
        assertThat(cast.vacant()).isEmpty();
    }

    @Test
    void aRealAssistedService_takesThePlaceOfTheSimulatedOne() {
        Path ca = folder.resolve("ca.crt");

        Cast cast = Cast.of(List.of("assisted-service=https://127.0.0.1:8090"), List.of(), Optional.of(ca));

        assertThat(cast.absent()).containsExactly(Neighbour.ASSISTED_SERVICE);
        assertThat(cast.vacant()).isEmpty();
        assertThat(cast.assistedService())
                .contains(new RealService(URI.create("https://127.0.0.1:8090"), Optional.of(ca)));
    }

    @Test
    void anAssistedServiceWithoutAddress_orAnAuthorityWithoutService_isRefused() {
        refused(List.of("assisted-service"), List.of()).withMessageContaining("such as http://127.0.0.1:8090");
        refused(List.of("assisted-service=ftp://x"), List.of()).withMessageContaining("ftp://x");
        refused(List.of("assisted-service=http://x", "cluster-api"), List.of())
                .withMessageContaining("cannot be combined");
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> Cast.of(List.of(), List.of(), Optional.of(folder)))
                .withMessageContaining("--assisted-service-ca needs --with assisted-service=URL");
    }

    private void executable(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
        var unused = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static org.assertj.core.api.ThrowableAssertAlternative<TypeConversionException> refused(
            List<String> with, List<String> without) {
        return assertThatExceptionOfType(TypeConversionException.class).isThrownBy(() -> Cast.of(with, without));
    }
}
