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

/** The multi-node sample with hosts whose static network settings are written after their Machines. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class StaticNetworkTest {

    private static final String SETTINGS = """
        ---
        apiVersion: agent-install.openshift.io/v1beta1
        kind: NMStateConfig
        metadata: {name: hosts, labels: {net: NAMESPACE}}
        spec:
          interfaces: [{name: eno1, macAddress: '52:54:00:00:00:01'}]
          config: {interfaces: [{name: eno1, type: ethernet, state: up}]}
        """;

    @Test
    void noHostBootsWithAnIgnitionOfBeforeItsNetworkSettings(WholeLab lab) {
        String namespace = lab.namespace(3);
        String sample = WholeLab.withoutWorkers(WholeLab.sample())
                .replaceAll(
                        "(?m)^( *)hostnamePolicy: HostName$",
                        "$0\n$1nmStateConfigLabelSelector: {matchLabels: {net: " + namespace + "}}");
        lab.apply(namespace, sample + SETTINGS.replace("NAMESPACE", namespace));
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
                        .contains("/etc/assisted/network/host0/mac_interface.ini", "/etc/capoa/discovery-inputs"));
    }

    private static String ignition(Secret secret) {
        return new String(Base64.getDecoder().decode(secret.getData().get("value")), StandardCharsets.UTF_8);
    }
}
