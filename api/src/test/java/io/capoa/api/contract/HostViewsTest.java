package io.capoa.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostViewsTest {

    @Test
    void anAbsentObject_readsAsUnset() {
        AgentView agent = AgentView.of(null);
        assertThat(agent.isApproved()).isFalse();
        assertThat(agent.state()).isEmpty();
        assertThat(agent.stateInfo()).isEmpty();
        assertThat(agent.hostname()).isNull();
        assertThat(agent.disks()).isEmpty();
        assertThat(InfraEnvView.of(null).url(InfraEnvView.Url.ISO)).isNull();
        assertThat(BareMetalHostView.of(null).isProvisioned()).isFalse();
        assertThat(BareMetalHostView.of(null).rootDeviceHints()).isNull();
        assertThat(Metal3MachineView.of(null).isLiveIso()).isFalse();
    }

    @Test
    void anAgent() {
        AgentView agent = AgentView.of(read(Agent.class, """
                spec:
                  approved: true
                  role: worker
                  nodeLabels: {a: b}
                  clusterDeploymentName: {name: c, namespace: n}
                status:
                  debugInfo: {state: installing, stateInfo: Writing, logsURL: https://logs}
                  progress: {currentStage: Rebooting, installationPercentage: 40}
                  inventory: {hostname: reported, disks: [{id: d}], interfaces: [{macAddress: m}]}
                """));
        assertThat(agent.isApproved()).isTrue();
        assertThat(agent.specField("role")).isEqualTo("worker");
        assertThat(agent.nodeLabels()).isEqualTo(Map.of("a", "b"));
        assertThat(agent.clusterDeploymentName()).isEqualTo("c");
        assertThat(agent.clusterDeploymentNamespace()).isEqualTo("n");
        assertThat(agent.state()).isEqualTo("installing");
        assertThat(agent.stateInfo()).isEqualTo("Writing");
        assertThat(agent.logsUrl()).isEqualTo("https://logs");
        assertThat(agent.currentStage()).isEqualTo("Rebooting");
        assertThat(agent.installationPercentage()).isEqualTo(40);
        assertThat(agent.disks()).hasSize(1);
        assertThat(agent.interfaces()).hasSize(1);
        assertThat(agent.hostname()).isEqualTo("reported");
    }

    @Test
    void anAgentsHostname_isTheOneInItsSpecFirst() {
        assertThat(AgentView.of(read(Agent.class, "spec: {hostname: named}\nstatus: {inventory: {hostname: reported}}"))
                        .hostname())
                .isEqualTo("named");
    }

    @Test
    void anInfraEnv() {
        InfraEnvView infraEnv = InfraEnvView.of(read(InfraEnv.class, """
                spec: {osImageVersion: "4.20", clusterRef: {name: c, namespace: n}}
                status:
                  isoDownloadURL: https://iso
                  createdTime: "2026-01-01T00:00:00Z"
                  bootArtifacts: {discoveryIgnitionURL: https://ignition}
                  debugInfo: {eventsURL: https://events}
                """));
        assertThat(infraEnv.osImageVersion()).isEqualTo("4.20");
        assertThat(infraEnv.clusterName()).isEqualTo("c");
        assertThat(infraEnv.clusterNamespace()).isEqualTo("n");
        assertThat(infraEnv.createdTime()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(infraEnv.url(InfraEnvView.Url.ISO)).isEqualTo("https://iso");
        assertThat(infraEnv.url(InfraEnvView.Url.DISCOVERY_IGNITION)).isEqualTo("https://ignition");
        assertThat(infraEnv.url(InfraEnvView.Url.EVENTS)).isEqualTo("https://events");
        assertThat(InfraEnvView.Url.ISO.field()).isEqualTo("status.isoDownloadURL");
    }

    @Test
    void aBareMetalHost() {
        BareMetalHostView host = BareMetalHostView.of(read(BareMetalHost.class, """
                spec:
                  consumerRef: {kind: Metal3Machine, name: m, namespace: ns}
                  bootMACAddress: 00:11:22:33:44:55
                  rootDeviceHints: {model: x}
                status:
                  poweredOn: true
                  provisioning: {state: provisioned}
                  operationHistory: {provision: {end: "2026-01-01T00:00:00Z"}}
                """));
        assertThat(host.consumerKind()).isEqualTo("Metal3Machine");
        assertThat(host.consumerName()).isEqualTo("m");
        assertThat(host.consumerNamespace()).isEqualTo("ns");
        assertThat(host.bootMacAddress()).isEqualTo("00:11:22:33:44:55");
        assertThat(host.rootDeviceHints()).isEqualTo(Map.of("model", "x"));
        assertThat(host.isPoweredOn()).isTrue();
        assertThat(host.isProvisioned()).isTrue();
        assertThat(host.provisionedAt()).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void aMetal3Machine_bootsALiveIso_inEitherVersionsField() {
        Metal3MachineView machine =
                Metal3MachineView.of(read(Metal3Machine.class, "spec: {image: {url: u, diskFormat: live-iso}}"));
        assertThat(machine.imageUrl()).isEqualTo("u");
        assertThat(machine.isLiveIso()).isTrue();
        assertThat(Metal3MachineView.of(read(Metal3Machine.class, "spec: {image: {format: live-iso}}"))
                        .isLiveIso())
                .isTrue();
        assertThat(Metal3MachineView.of(read(Metal3Machine.class, "spec: {image: {format: qcow2}}"))
                        .isLiveIso())
                .isFalse();
    }

    private static <T> T read(Class<T> type, String yaml) {
        return new KubernetesSerialization().unmarshal(yaml, type);
    }
}
