package io.capoa.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.BareMetalHost;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BootMediumTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            image: {url: 'http://a/b.qcow2'}                                                      |
            image: {url: 'http://a/b.iso', format: live-iso}                                      |
            customDeploy: {method: install_coreos}                                                |
            customDeploy: {method: install_coreos}, image: {url: 'http://a/b.raw', format: raw}   |
            customDeploy: {method: install_coreos}, image: {url: 'http://a/b.iso', format: live-iso} | spec.customDeploy has its live ISO not booted, and a live ISO has no config drive with its ignition
            online: true                                                                          | it has no image
            image: {format: live-iso}                                                             | spec.image.url is empty
            """)
    void aHostBoots_whatBaremetalOperatorDeploys(String spec, @Nullable String problem) {
        BareMetalHost host = new KubernetesSerialization().unmarshal("spec: {" + spec + "}", BareMetalHost.class);

        assertThat(BootMedium.problem(host)).isEqualTo(problem == null ? "" : problem);
    }
}
