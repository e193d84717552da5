package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Labels;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The multi-node sample with hosts that fetch their discovery ignition from assisted-service. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class DiscoveryReferenceTest {

    @Test
    void hostsWhoseDataRefersToTheirIgnition_areInstalled(WholeLab lab) {
        String namespace = lab.namespace(3);
        String sample = WholeLab.withoutWorkers(WholeLab.sample())
                .replaceAll("(?m)^( *)hostnamePolicy: HostName$", "$0\n$1discoveryIgnition: Reference");
        lab.apply(namespace, sample);
        lab.awaitReady(namespace);

        List<Secret> data = lab.admin()
                .secrets()
                .inNamespace(namespace)
                .withLabel(Labels.CONFIG_NAME)
                .list()
                .getItems();
        assertThat(data)
                .hasSize(3)
                .allSatisfy(secret -> assertThat(ignition(secret))
                        .contains("\"merge\":[{\"source\":\"http")
                        .hasSizeLessThan(16 << 10));
    }

    private static String ignition(Secret secret) {
        return new String(Base64.getDecoder().decode(secret.getData().get("value")), StandardCharsets.UTF_8);
    }
}
