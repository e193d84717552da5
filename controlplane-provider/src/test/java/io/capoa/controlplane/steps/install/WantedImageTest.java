package io.capoa.controlplane.steps.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which release image is resolved. */
class WantedImageTest {

    private static final String REPOSITORY = "quay.io/openshift-release-dev/ocp-release:4.20.3-";

    private final ControlPlaneIdentity identity = Objects.identity();

    @Test
    void hostsOfOneArchitecture_getItsImage_andTheDefaultIsX86() {
        assertThat(image(null)).isEqualTo(REPOSITORY + "x86_64");
        assertThat(image(null, "x86_64", "")).isEqualTo(REPOSITORY + "x86_64");
    }

    @Test
    void hostsOfSeveralArchitectures_getTheMultiArchitectureImage_andKeepIt() {
        assertThat(image(null, "x86_64", "arm64")).isEqualTo(REPOSITORY + "multi");
        assertThat(image(remembered(REPOSITORY + "multi"), "x86_64")).isEqualTo(REPOSITORY + "multi");
        assertThat(image(remembered(REPOSITORY + "x86_64"), "x86_64")).isEqualTo(REPOSITORY + "x86_64");
        assertThat(image(remembered(REPOSITORY.replace("20.3", "20.2") + "multi"), "x86_64"))
                .as("another version is resolved again")
                .isEqualTo(REPOSITORY + "x86_64");
    }

    @Test
    void aRepositoryOverride_isUsed() {
        ControlPlaneIdentity overridden =
                Objects.identity("{cluster.x-k8s.io/release-image-repository-override: r.lab/ocp}", "");
        assertThat(WantedImage.of(ControlPlaneObservations.of(overridden, null, null), null))
                .isEqualTo("r.lab/ocp:4.20.3-x86_64");
    }

    @Test
    void onceTheInstallationRuns_itsImageIsUsed_whateverTheSpecSays() {
        ResolvedRelease running = new ResolvedRelease("q.io/r:4.19.1-multi", "q.io/r@sha256:1", "1.32.1", "4.19.1", "");
        var imageSet = ImageSet.desired(identity, ImageSet.name(identity), running);
        assertThat(WantedImage.of(ControlPlaneObservations.of(identity, "installing", imageSet), null))
                .isEqualTo("q.io/r@sha256:1");
        assertThat(WantedImage.of(ControlPlaneObservations.of(identity, "ready", imageSet), null))
                .isEqualTo(REPOSITORY + "x86_64");
    }

    private String image(@Nullable ResolvedRelease remembered, String... architectures) {
        return WantedImage.of(ControlPlaneObservations.of(identity, null, null, architectures), remembered);
    }

    private static ResolvedRelease remembered(String from) {
        return new ResolvedRelease(from, "q.io/r@sha256:1", "1.33.5", "4.20.3", "");
    }
}
