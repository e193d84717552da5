package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.Peer;
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

class PeerSelectionTest {

    @TempDir
    private Path folder;

    @Test
    void withoutOptions_allAreSimulated() {
        assertThat(PeerSelection.of(List.of(), List.of())).isEqualTo(PeerSelection.SIMULATED);
    }

    @Test
    void anOmittedPeer_isVacant() {
        PeerSelection selection = PeerSelection.of(List.of("cluster-api"), List.of("hosts", "metal3"));

        assertThat(selection.clusterApi()).isTrue();
        assertThat(selection.absent()).containsExactlyInAnyOrder(Peer.CLUSTER_API, Peer.METAL3, Peer.HOSTS);
        assertThat(selection.vacant()).containsExactly(Peer.METAL3, Peer.HOSTS);
    }

    @Test
    void anUnknownPeer_isRefused_withTheListOfThoseThereAre() {
        refused(List.of(), List.of("coffee"))
                .withMessageContaining("coffee")
                .withMessageContaining("cluster-api, metal3, cloud, assisted-service, hosts, registry");
        refused(List.of("hosts"), List.of())
                .withMessageContaining("--with takes cluster-api, metal3=DIR or assisted-service=URL")
                .withMessageContaining("--without");
    }

    @Test
    void aPeerThatIsBothRealAndOmitted_isRejected() {
        refused(List.of("cluster-api"), List.of("cluster-api")).withMessageContaining("contradict");
    }

    @Test
    void metal3_needsItsTwoExecutables() throws IOException {
        refused(List.of("metal3"), List.of()).withMessageContaining("--with metal3=DIR");
        refused(List.of("metal3=" + folder), List.of()).withMessageContaining("cluster-api-provider-metal3");
        executable("cluster-api-provider-metal3");
        refused(List.of("metal3=" + folder), List.of()).withMessageContaining("baremetal-operator");
        executable("baremetal-operator");

        PeerSelection selection = PeerSelection.of(List.of("metal3=" + folder), List.of());

        assertThat(selection.metal3()).contains(folder.toAbsolutePath());
        assertThat(selection.absent()).containsExactly(Peer.METAL3);
        assertThat(selection.vacant()).isEmpty();
    }

    @Test
    void aRealAssistedService_takesThePlaceOfTheSimulatedOne() {
        Path ca = folder.resolve("ca.crt");

        PeerSelection selection =
                PeerSelection.of(List.of("assisted-service=https://127.0.0.1:8090"), List.of(), Optional.of(ca));

        assertThat(selection.absent()).containsExactly(Peer.ASSISTED_SERVICE);
        assertThat(selection.vacant()).isEmpty();
        assertThat(selection.assistedService())
                .contains(new RealService(URI.create("https://127.0.0.1:8090"), Optional.of(ca)));
    }

    @Test
    void anAssistedServiceWithoutAddress_orAnAuthorityWithoutService_isRefused() {
        refused(List.of("assisted-service"), List.of()).withMessageContaining("such as http://127.0.0.1:8090");
        refused(List.of("assisted-service=ftp://x"), List.of()).withMessageContaining("ftp://x");
        refused(List.of("assisted-service=http://x", "cluster-api"), List.of())
                .withMessageContaining("cannot be combined");
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> PeerSelection.of(List.of(), List.of(), Optional.of(folder)))
                .withMessageContaining("--assisted-service-ca needs --with assisted-service=URL");
    }

    private void executable(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n");
        var unused = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static org.assertj.core.api.ThrowableAssertAlternative<TypeConversionException> refused(
            List<String> with, List<String> without) {
        return assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> PeerSelection.of(with, without));
    }
}
