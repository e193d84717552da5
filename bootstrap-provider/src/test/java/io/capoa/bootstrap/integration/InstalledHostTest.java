package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Settings of the installed host, from the config to the Agent. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class InstalledHostTest {

    private static final String OVERRIDE = "openshiftassistedconfig.cluster.x-k8s.io/ignition-override";
    private static final String PAUSED = "cluster.x-k8s.io/paused";

    @Test
    void nameDiskPoolLabelsAndArguments_reachTheAgent_onceItsDisksAreKnown(ConfigScene scene) {
        scene.ready().machine("m1", """
            {hostnamePolicy: HostName, installationDisk: {minSizeGigabytes: 200}, installerArgs: [--copy-network],
             machineConfigPool: infra, nodeLabels: {node-role.kubernetes.io/infra: ''}}
            """).withData("m1");
        Agent unused = scene.registerAgent("agent-1", "m1");
        scene.awaitCondition("m1", "AgentApproved", "False/WaitingForInventory");

        inventory(scene, "agent-1", 100, 400);

        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
        Map<String, Object> spec = Fields.map(scene.require(Agent.class, "agent-1"), "spec");
        assertThat(spec)
                .containsEntry("hostname", "host-m1")
                .containsEntry("installation_disk_id", "disk-400")
                .containsEntry("installerArgs", "[\"--copy-network\"]")
                .containsEntry("machineConfigPool", "infra");
        assertThat(Fields.map(scene.require(Agent.class, "agent-1"), "spec", "nodeLabels"))
                .containsEntry("node-role.kubernetes.io/infra", "")
                .containsKey("metal3.io/uuid");
        scene.provider.awaitRest();
        assertThat(scene.provider.writes("agents", "")).hasSize(1);
    }

    @Test
    void aDiskThatTheHostHasNot_isNamed_withThoseThatItHas(ConfigScene scene) {
        scene.ready()
                .machine("m1", "{installationDisk: {minSizeGigabytes: 500}}")
                .withData("m1");
        Agent unused = scene.registerAgent("agent-1", "m1");
        inventory(scene, "agent-1", 100, 400);

        scene.awaitCondition("m1", "AgentApproved", "False/InstallationDiskNotFound");
        assertThat(scene.message("m1", "Ready")).contains("minSizeGigabytes=500", "/dev/disk-400 (400 GB)", "correct");
        assertThat(scene.approved("agent-1")).isFalse();

        inventory(scene, "agent-1", 100, 600);

        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
    }

    @Test
    void theInstallTimeOverride_isMergedIn(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        override(scene, "{\"ignition\":{\"version\":\"3.1.0\"},\"systemd\":{\"units\":[{\"name\":\"mine.service\"}]}}");

        Agent unused = scene.registerAgent("agent-1", "m1");

        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
        assertThat(Fields.string(scene.require(Agent.class, "agent-1"), "spec", "ignitionConfigOverrides"))
                .contains("mine.service", "capoa-bootstrap-success.service");
    }

    @Test
    void anOverrideOfAnUnknownVersion_isReportedWithItsAnnotation_untilItIsCorrected(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        override(scene, "{\"ignition\":{\"version\":\"99.0.0\"}}");
        Agent unused = scene.registerAgent("agent-1", "m1");

        scene.awaitCondition("m1", "AgentApproved", "False/InvalidIgnition");
        assertThat(scene.message("m1", "Ready")).contains(OVERRIDE, "99.0.0");
        assertThat(scene.approved("agent-1")).isFalse();

        override(scene, "{\"ignition\":{\"version\":\"3.1.0\"}}");
        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
    }

    /** Sets the override; returns when the provider knows it, as the pause shows that came with it. */
    private static void override(ConfigScene scene, String json) {
        annotate(scene, Map.of(OVERRIDE, json, PAUSED, ""));
        scene.awaitCondition("m1", "Paused", "True/Paused");
        annotate(scene, Map.of(OVERRIDE, json));
    }

    private static void annotate(ConfigScene scene, Map<String, String> annotations) {
        scene.edit(
                OpenshiftAssistedConfig.class,
                "m1-config",
                config -> config.getMetadata().setAnnotations(annotations));
    }

    /** The host reports disks, given by size in GB. */
    private static void inventory(ConfigScene scene, String agent, int... gigabytes) {
        List<Map<String, Object>> disks = java.util.Arrays.stream(gigabytes)
                .mapToObj(size -> Map.<String, Object>of(
                        "id",
                        "disk-" + size,
                        "path",
                        "/dev/disk-" + size,
                        "sizeBytes",
                        size * 1_000_000_000L,
                        "installationEligibility",
                        Map.of("eligible", true, "notEligibleReasons", List.of())))
                .toList();
        scene.inventory(agent, Map.of("hostname", "h", "disks", disks));
    }
}
