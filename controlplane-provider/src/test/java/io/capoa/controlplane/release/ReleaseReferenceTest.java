package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleaseReferenceTest {

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
                    4.20.0,             -,                 x86_64,  quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64
                    4.20.0,             -,                 arm64,   quay.io/openshift-release-dev/ocp-release:4.20.0-aarch64
                    4.20.0,             -,                 '',      quay.io/openshift-release-dev/ocp-release:4.20.0-multi
                    latest,             -,                 multi,   quay.io/openshift-release-dev/ocp-release:latest-multi
                    4.18.0-okd-scos.2,  -,                 x86_64,  quay.io/okd/scos-release:4.18.0-okd-scos.2
                    4.20.0,             mirror.lan:5000/o, s390x,   mirror.lan:5000/o:4.20.0-s390x
                    4.18.0-okd-scos.2,  mirror.lan:5000/o, x86_64,  mirror.lan:5000/o:4.18.0-okd-scos.2
                    """)
    void namesTheImageOfAVersion(String version, String override, String architecture, String image) {
        assertThat(ReleaseReference.image(version, override, architecture)).isEqualTo(image);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    4.18.0-okd-scos.2,                         true,  true,  true
                    4.17.0-okd-scos.ec.4,                      true,  false, false
                    4.16.0-0.okd-scos-2024-09-24-151747,       true,  false, false
                    4.12.0,                                    false, false, true
                    4.19.0-ec.2,                               false, false, false
                    4.19.0-0.nightly-2025-01-01-000000,        false, false, false
                    4.19.0-0.ci-2025-01-01-000000,             false, false, false
                    notavalidversion,                          false, false, false
                    4.19.0-multi,                              false, false, false
                    4.19.0+build.5,                            false, false, false
                    """)
    void tellsDistributionsAndFinalVersionsApart(String version, boolean okd, boolean okdGa, boolean ga) {
        assertThat(DistributionVersion.isOkd(version)).isEqualTo(okd);
        assertThat(DistributionVersion.isOkdGa(version)).isEqualTo(okdGa);
        assertThat(DistributionVersion.isGa(version)).isEqualTo(ga);
    }

    @ParameterizedTest
    @CsvSource({"4.13.9,false", "4.14.0-rc.1,false", "4.14.0,true", "4.14,true", "v4.20.1,true", "latest,true"})
    void whenTheVersionIsOlderThanTheMinimum_saysSo(String version, boolean supported) {
        assertThat(DistributionVersion.unsupported(version).isEmpty()).isEqualTo(supported);
        if (!supported) {
            assertThat(DistributionVersion.unsupported(version))
                    .contains("version " + version + " is not supported, the minimum supported version is 4.14.0");
        }
    }

    @ParameterizedTest
    @CsvSource({"'',multi", "x86_64,x86_64", "x86_64 x86_64,x86_64", "arm64 aarch64,aarch64", "x86_64 arm64,multi"})
    void theArchitectureIsThatOfAllHostsOrMulti(String hosts, String architecture) {
        List<String> list = hosts.isEmpty() ? List.of() : Arrays.asList(hosts.split(" ", -1));
        assertThat(Architecture.of(list)).isEqualTo(architecture);
    }

    @Test
    void whenOneHostDoesNotSayItsArchitecture_takesMulti() {
        assertThat(Architecture.of(List.of("x86_64", ""))).isEqualTo("multi");
        assertThat(Architecture.of(List.of(""))).isEqualTo("multi");
    }
}
