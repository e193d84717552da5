package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleaseCatalogueTest {

    private final ReleaseCatalogue catalogue = new ReleaseCatalogue(ReleaseImages.ofNames());

    @ParameterizedTest
    @CsvSource({
        "quay.io/openshift-release-dev/ocp-release:4.20.3-multi, 4.21.0, quay.io/openshift-release-dev/ocp-release",
        "127.0.0.1:5000/mirror/ocp:4.20.3-x86_64, 4.20.5, 127.0.0.1:5000/mirror/ocp",
        "quay.io/okd/scos-release:4.20.0-okd-scos.1, 4.20.0-okd-scos.2, quay.io/okd/scos-release"
    })
    void aVersionLeadsToItsImage_andTheImageToItsVersion(String running, String version, String repository) {
        String image = catalogue.image(version, catalogue.byDigest(running)).orElseThrow();

        assertThat(image).startsWith(repository + "@sha256:");
        assertThat(catalogue.in(image).orElseThrow().version()).isEqualTo(version);
        assertThat(catalogue.image(version, running)).as("by tag").contains(image);
        assertThat(catalogue.byDigest(image)).isEqualTo(image);
    }

    @Test
    void anImageThatTheRegistryLacks_isAbsent() {
        var empty = new ReleaseCatalogue(new ReleaseImages() {
            @Override
            public Optional<String> digest(String repository, String tag) {
                return Optional.empty();
            }

            @Override
            public Optional<String> tag(String digest) {
                return Optional.empty();
            }
        });

        assertThat(empty.in("quay.io/ocp:4.20.3-x86_64")).isEmpty();
        assertThat(empty.in("not an image")).isEmpty();
        assertThat(empty.image("4.20.5", "quay.io/ocp:4.20.3-x86_64")).isEmpty();
        assertThat(empty.of("quay.io/ocp:4.20.3-x86_64").version()).isEqualTo("4.20.3");
    }
}
