package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleaseVersionsTest {

    @ParameterizedTest
    @CsvSource({
        "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64, 4.20.3, v1.33.5",
        "quay.io/openshift-release-dev/ocp-release:4.21.0-ec.2-multi, 4.21.0-ec.2, v1.34.5",
        "quay.io/okd/scos-release:4.20.0-okd-scos.1, 4.20.0-okd-scos.1, v1.33.5",
        "quay.io/okd/scos-release:4.21.0-okd-scos.ec.3, 4.21.0-okd-scos.ec.3, v1.34.5",
        "quay.io/okd/scos-release@sha256:0, 4.20.0, v1.33.5"
    })
    void aTag_namesTheReleaseThatTheClusterRuns(String image, String version, String kubernetes) {
        assertThat(ReleaseVersions.fromTag(image)).isEqualTo(new ReleaseVersions(image, version, kubernetes));
    }
}
