package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.lab.cluster.AuditEntry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Matching of registered hosts with Machines, and the Agent's spec. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class AgentsTest {

    private static final String UNHEALTHY_HOST = """
            apiVersion: metal3.io/v1alpha1
            kind: BareMetalHost
            metadata: {name: %s, annotations: {capm3.metal3.io/unhealthy: unhealthy}}
            spec: {online: false}
            """;

    private static final String LABELS =
            "{nodeRegistration: {name: $METADATA_NAME, kubeletExtraLabels: ['c=$C', 'a=1', 'b=${B}', 'd=\"$D\"']}}";

    @Test
    void aWorker_getsRoleIgnitionArgumentsAndApproval_inOneWrite(ConfigScene scene) {
        scene.ready().machine("m1", """
            {kernelArguments: [{operation: append, value: 'console=ttyS0,115200n8'}, {operation: append, value: rd.neednet=1}],
             nodeRegistration: {kubeletExtraLabels: [zone=a]}}
            """).withAgent("m1", "agent-1");

        Agent agent = scene.require(Agent.class, "agent-1");
        assertThat(Fields.string(agent, "spec", "role")).isEqualTo("worker");
        assertThat(Fields.string(agent, "spec", "installerArgs"))
                .isEqualTo("[\"--append-karg\",\"console=ttyS0,115200n8\",\"--append-karg\",\"rd.neednet=1\"]");
        assertThat(Fields.string(agent, "spec", "ignitionConfigOverrides"))
                .contains("\"version\":\"3.1.0\"", "kubelet-customlabels.service", "capoa-bootstrap-success.service");
        scene.provider.awaitRest();
        assertThat(scene.provider.writes("agents", ""))
                .singleElement()
                .extracting(AuditEntry::verb)
                .isEqualTo("patch");
    }

    @Test
    void aMachineOfTheControlPlane_isMaster(ConfigScene scene) {
        scene.ready().controlPlaneMachine("m1", "{}").withAgent("m1", "agent-1");

        assertThat(Fields.string(scene.require(Agent.class, "agent-1"), "spec", "role"))
                .isEqualTo("master");
    }

    /** The host was that of another Machine, of whose Node Cluster API knows nothing but the name. */
    @Test
    void aHostWhoseNameTheNodeOfAMachineHasThatIsBeingDeleted_isApprovedAsSoonAsThatIsGone(ConfigScene scene) {
        scene.ready().machine("old", "{}").machine("m1", "{hostnamePolicy: HostName}");
        scene.finalizers(Machine.class, "old", "machine.cluster.x-k8s.io");
        scene.status(Machine.class, "old", Map.of("nodeRef", Map.of("name", "host-m1")));
        scene.delete(Machine.class, "old");
        scene.withData("m1");
        var unused = scene.registerAgent("agent-1", "m1");
        scene.awaitCondition("m1", "AgentApproved", "False/WaitingForNodeName");
        assertThat(scene.message("m1", "Ready")).contains("Node host-m1", "Machine old");
        scene.provider.awaitRest();
        assertThat(scene.approved("agent-1")).isFalse();

        scene.finalizers(Machine.class, "old");

        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
        assertThat(scene.approved("agent-1")).isTrue();
        assertThat(scene.find(Machine.class, "old")).isNull();
    }

    @Test
    void theNodeLabelThatMetal3Matches_isSetByDefault_onceAHostIsTaken(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        var unused = scene.report("agent-1", "m1");
        scene.awaitCondition("m1", "AgentApproved", "False/WaitingForBareMetalHost");
        assertThat(scene.approved("agent-1")).isFalse();

        scene.takeHost("m1");

        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
        assertThat(Fields.map(scene.require(Agent.class, "agent-1"), "spec", "nodeLabels"))
                .containsEntry(
                        "metal3.io/uuid",
                        scene.require(BareMetalHost.class, "host-m1")
                                .getMetadata()
                                .getUid());
    }

    @Test
    void theSameMachines_getTheSameIgnition_toTheByte_andNoSecondWrite(ConfigScene scene) {
        scene.ready().machine("m1", LABELS).machine("m2", LABELS);
        scene.withAgent("m1", "agent-1").withAgent("m2", "agent-2");
        for (int touch = 0; touch < 5; touch++) {
            Map<String, String> touched = Map.of("touched", String.valueOf(touch));
            scene.edit(Agent.class, "agent-1", agent -> agent.getMetadata().setAnnotations(touched));
            scene.edit(
                    OpenshiftAssistedConfig.class,
                    "m1-config",
                    config -> config.getMetadata().setAnnotations(touched));
        }

        scene.provider.awaitRest();

        assertThat(ignition(scene, "agent-1")).isEqualTo(ignition(scene, "agent-2"));
        assertThat(scene.provider.writes("agents", "")).hasSize(2);
    }

    @Test
    void ofTwoOnOneInfraEnv_oneIsApproved_andStaysSo(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "b-first");
        var unused = scene.registerAgent("a-second", "m1");

        scene.awaitCondition("m1", "AgentApproved", "True/DuplicateAgent");
        assertThat(scene.message("m1", "AgentApproved")).contains("a-second");
        assertThat(scene.approved("b-first")).isTrue();
        assertThat(scene.approved("a-second")).isFalse();
    }

    @Test
    void whenTheApprovedOneIsDeleted_theNextTakesItsPlace(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "first");
        var unused = scene.registerAgent("second", "m1");
        scene.awaitCondition("m1", "AgentApproved", "True/DuplicateAgent");

        scene.delete(Agent.class, "first");

        ConfigScene.soon("the other approved").until(() -> scene.approved("second"));
        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
    }

    @Test
    void oneThatComesBackUnderANewId_takesThePlaceOfTheLostOne(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "old-id");
        scene.agent("old-id", "disconnected", "Connected", "False", "AgentIsDisconnected", "silent");

        var unused = scene.registerAgent("new-id", "m1");

        ConfigScene.soon("the new one approved, the old one no more")
                .until(() -> scene.approved("new-id") && !scene.approved("old-id"));
    }

    @Test
    void whileMetal3FindsNoHost_theConfigSaysSo(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");

        scene.status(
                Metal3Machine.class,
                "m1",
                Map.of(
                        "conditions",
                        List.of(Map.of(
                                "type", "AssociateBareMetalHost",
                                "status", "False",
                                "reason", "AssociateBareMetalHostFailed",
                                "message", "no available host found",
                                "lastTransitionTime", "2026-01-01T00:00:00Z"))));

        scene.awaitCondition("m1", "Ready", "False/NoHostAvailable");
        assertThat(scene.message("m1", "AgentRegistered"))
                .contains("has no BareMetalHost: no available host found.")
                .doesNotContain("unhealthy");

        try (ConfigScene other = scene.another()) {
            other.create(BareMetalHost.class, UNHEALTHY_HOST.formatted("foreign"));
            scene.create(BareMetalHost.class, UNHEALTHY_HOST.formatted("spare"));
            ConfigScene.soon("it is named, and no host of another namespace")
                    .until(() -> scene.message("m1", "AgentRegistered").contains("capm3.metal3.io/unhealthy: spare;"));
        }
        scene.edit(BareMetalHost.class, "spare", host -> host.getMetadata().setAnnotations(Map.of()));
        ConfigScene.soon("it may be taken now")
                .until(() -> !scene.message("m1", "AgentRegistered").contains("spare"));

        var unused = scene.registerAgent("agent-1", "m1");
        scene.awaitCondition("m1", "AgentRegistered", "True/AgentRegistered");
    }

    @Test
    void oneThatIsDeletedInTheMiddle_isWaitedForAgain(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        scene.agent("agent-1", "installing", "Installed", "False", "InstallationInProgress", "at it");
        scene.awaitCondition("m1", "Ready", "False/Installing");

        scene.delete(Agent.class, "agent-1");

        scene.awaitCondition("m1", "Ready", "False/WaitingForAgent");
        assertThat(scene.condition("m1", "DataSecretAvailable")).isEqualTo("True/DataSecretAvailable");
        var unused = scene.registerAgent("agent-2", "m1");
        ConfigScene.soon("its successor approved").until(() -> scene.approved("agent-2"));
    }

    @Test
    void oneThatIsDeletedAfterTheInstallation_leavesTheMachineReady(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withNode("m1", "agent-1");

        scene.delete(Agent.class, "agent-1");

        scene.provider.awaitRest();
        assertThat(scene.condition("m1", "Ready")).isEqualTo("True/Ready");
    }

    @Test
    void oneWhoseInstallationHasBegun_isNotWrittenAnyMore(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        scene.agent("agent-1", "installing-in-progress", "Installed", "False", "InstallationInProgress", "at it");
        scene.edit(Agent.class, "agent-1", agent -> Fields.map(agent, "spec").put("installerArgs", "[\"theirs\"]"));

        scene.provider.awaitRest();

        assertThat(scene.provider.writes("agents", "")).hasSize(1);
    }

    @Test
    void foreignOnes_areNeitherWrittenNorAnError(ConfigScene scene) {
        scene.ready();
        var infraEnv = scene.create(InfraEnv.class, ConfigSamples.foreignInfraEnv("ztp"));
        var bound = scene.registerAgent("of-another-infraenv", "ztp");
        var loose = scene.registerAgent("of-none-that-exists", "elsewhere");
        var unlabelled = scene.create(Agent.class, ConfigSamples.UNLABELLED_AGENT);
        scene.machine("m1", "{}").withNode("m1", "agent-1");

        scene.provider.awaitRest();

        for (var foreign : new Agent[] {bound, loose, unlabelled}) {
            String name = foreign.getMetadata().getName();
            assertThat(scene.require(Agent.class, name).getMetadata().getResourceVersion())
                    .isEqualTo(foreign.getMetadata().getResourceVersion());
        }
        assertThat(scene.require(InfraEnv.class, "ztp").getMetadata().getResourceVersion())
                .isEqualTo(infraEnv.getMetadata().getResourceVersion());
        assertThat(scene.provider.all()).noneMatch(request -> request.code() >= 500);
    }

    @Test
    void theSameNamesInTwoNamespaces_areTwoMachines(ConfigScene scene) {
        try (ConfigScene other = scene.another()) {
            scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
            other.ready().machine("m1", "{}").withAgent("m1", "agent-1");

            assertThat(Fields.string(other.require(InfraEnv.class, "m1"), "spec", "clusterRef", "namespace"))
                    .isEqualTo(other.namespace);
            scene.delete(OpenshiftAssistedConfig.class, "m1-config");
            scene.delete(Agent.class, "agent-1");
            scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
            assertThat(other.find(InfraEnv.class, "m1")).isNotNull();
            assertThat(other.approved("agent-1")).isTrue();
        }
    }

    @Test
    void oneOfAMachineThatIsBeingDeleted_isNotApproved(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1");
        scene.finalizers(Machine.class, "m1", "machine.cluster.x-k8s.io");
        scene.delete(Machine.class, "m1");

        var unused = scene.registerAgent("late", "m1");

        scene.awaitCondition("m1", "AgentApproved", "False/Deleting");
        assertThat(scene.approved("late")).isFalse();
        scene.finalizers(Machine.class, "m1");
        scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
    }

    @Test
    void oneOfAMachineThatIsDeletedBeforeTheInstallation_losesItsApproval(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");
        scene.finalizers(Machine.class, "m1", "machine.cluster.x-k8s.io");

        scene.delete(Machine.class, "m1");

        ConfigScene.soon("the approval withdrawn").until(() -> !scene.approved("agent-1"));
        scene.awaitCondition("m1", "AgentApproved", "False/Deleting");
        scene.finalizers(Machine.class, "m1");
        scene.awaitGone(OpenshiftAssistedConfig.class, "m1-config");
    }

    @Test
    void failedValidations_reachTheUser_withTheNameOfTheHost(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");

        scene.agent("agent-1", "insufficient", "Validated", "False", "ValidationsFailing", "8 GiB of memory needed");

        scene.awaitCondition("m1", "Installed", "False/AgentValidationFailed");
        assertThat(scene.message("m1", "Ready")).contains("agent-1", "8 GiB of memory needed");
    }

    @Test
    void aFailedInstallation_saysWhy_andLeavesTheRemedyToTheControlPlane(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");

        scene.agent("agent-1", "error", "Installed", "False", "InstallationFailed", "disk is read-only");

        scene.awaitCondition("m1", "Ready", "False/InstallationFailed");
        assertThat(scene.message("m1", "Ready"))
                .contains("agent-1", "disk is read-only")
                .doesNotContain("Delete the Machine");
    }

    private static String ignition(ConfigScene scene, String agent) {
        return String.valueOf(Fields.string(scene.require(Agent.class, agent), "spec", "ignitionConfigOverrides"));
    }
}
