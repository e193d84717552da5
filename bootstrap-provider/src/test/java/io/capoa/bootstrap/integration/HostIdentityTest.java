package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.lab.cluster.AuditEntry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Matching of a Machine with its host among those that booted its media. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class HostIdentityTest {

    @Test
    void aHostThatAssistedServicesOwnControllerLooksAfter_isNamed_andNothingIsWritten(ConfigScene scene) {
        scene.ready()
                .machine("m1", "{}")
                .withData("m1")
                .takeHost("m1", "{infraenvs.agent-install.openshift.io: theirs}");
        var unused = scene.report("a1", "m1");

        scene.awaitCondition("m1", "AgentApproved", "False/HostManagedByAssistedService");
        assertThat(scene.message("m1", "Ready"))
                .contains(
                        "BareMetalHost " + scene.namespace + "/host-m1", "infraenvs.agent-install.openshift.io=theirs");
        assertThat(scene.provider.writes("agents", "")).isEmpty();
        assertThat(scene.approved("a1")).isFalse();

        scene.edit(BareMetalHost.class, "host-m1", host -> host.getMetadata().setLabels(Map.of()));

        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
    }

    @Test
    void anotherHostThatBootsTheMedia_isNotTaken_andTheRightOneIs(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1").takeHost("m1");
        Agent stale = scene.report("agent-b", "m1", "host-b");

        scene.awaitCondition("m1", "AgentApproved", "False/WrongHost");
        assertThat(scene.message("m1", "Ready"))
                .contains(
                        "agent-b",
                        ConfigSamples.mac("host-b"),
                        "BareMetalHost " + scene.namespace + "/host-m1",
                        ConfigSamples.mac("host-m1"),
                        "Remove the media");
        Agent unused = scene.report("agent-a", "m1");

        ConfigScene.soon("the Machine's own host approved").until(() -> scene.approved("agent-a"));
        scene.awaitCondition("m1", "AgentApproved", "True/DuplicateAgent");
        scene.provider.awaitRest();
        assertThat(scene.require(Agent.class, "agent-b").getMetadata().getResourceVersion())
                .isEqualTo(stale.getMetadata().getResourceVersion());
        assertThat(scene.provider.writes("agents", ""))
                .extracting(AuditEntry::name)
                .containsExactly("agent-a");
    }

    @Test
    void aHostThatHasNotReportedItsInterfaces_isWaitedFor(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1").takeHost("m1");
        Agent unused = scene.register("agent-a", "m1");
        scene.awaitCondition("m1", "AgentApproved", "False/WaitingForInventory");
        assertThat(scene.approved("agent-a")).isFalse();

        scene.inventory(
                "agent-a", Map.of("interfaces", List.of(ConfigScene.port("eno1", ConfigSamples.mac("host-m1")))));

        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
    }

    @Test
    void oneThatWasApprovedAndIsAnotherHost_losesTheApproval(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1").takeHost("m1");
        Agent unused = scene.report("agent-b", "m1", "host-b");
        scene.awaitCondition("m1", "AgentApproved", "False/WrongHost");

        scene.edit(Agent.class, "agent-b", agent -> Fields.map(agent, "spec").put("approved", true));

        ConfigScene.soon("the approval withdrawn").until(() -> !scene.approved("agent-b"));
    }

    @Test
    void oneThatIsBoundToAnotherCluster_isNeitherTakenNorWritten(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1").takeHost("m1");
        Agent unused = scene.report("elsewhere", "m1", "host-b");
        scene.awaitCondition("m1", "AgentApproved", "False/WrongHost");
        scene.edit(
                Agent.class,
                "elsewhere",
                agent -> Fields.map(agent, "spec")
                        .putAll(Map.of(
                                "approved",
                                true,
                                "clusterDeploymentName",
                                Map.of("name", "other", "namespace", scene.namespace))));

        scene.awaitCondition("m1", "AgentApproved", "False/WaitingForAgent");
        assertThat(scene.message("m1", "Ready")).contains("Agent elsewhere", "ClusterDeployment other");
        unused = scene.report("agent-a", "m1");
        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");
        scene.provider.awaitRest();
        assertThat(scene.approved("elsewhere")).isTrue();
        assertThat(scene.provider.writes("agents", ""))
                .extracting(AuditEntry::name)
                .containsExactly("agent-a");
    }

    @Test
    void withoutABootMacAddress_theOnlyOneIsTaken_andOfSeveralNone(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withData("m1").takeHost("m1");
        scene.edit(
                BareMetalHost.class, "host-m1", host -> Fields.map(host, "spec").remove("bootMACAddress"));
        Agent unused = scene.report("agent-b", "m1", "host-b");
        scene.awaitCondition("m1", "AgentApproved", "True/AgentApproved");

        scene.machine("m2", "{}").withData("m2");
        unused = scene.report("agent-c", "m2", "host-c");
        unused = scene.report("agent-d", "m2", "host-d");
        scene.takeHost("m2");
        scene.awaitCondition("m2", "AgentApproved", "False/WrongHost");
        scene.edit(
                BareMetalHost.class, "host-m2", host -> Fields.map(host, "spec").remove("bootMACAddress"));

        scene.awaitCondition("m2", "AgentApproved", "False/AmbiguousHost");
        assertThat(scene.message("m2", "Ready")).contains("agent-c", "agent-d", "has no spec.bootMACAddress");
        scene.delete(Agent.class, "agent-c");
        ConfigScene.soon("the only one approved").until(() -> scene.approved("agent-d"));
    }

    /** A user of one namespace can write the annotation of a Metal3Machine, with a name as in the other namespace. */
    @Test
    void aHostOfAnotherNamespace_isNeitherReadNorPoweredOff(ConfigScene scene) {
        try (ConfigScene other = scene.another()) {
            other.ready().machine("m1", "{}").withData("m1").takeHost("m1");
            String before =
                    other.require(BareMetalHost.class, "host-m1").getMetadata().getResourceVersion();
            scene.ready().machine("m1", "{}").withData("m1");
            scene.edit(
                    Metal3Machine.class,
                    "m1",
                    machine -> machine.getMetadata()
                            .setAnnotations(Map.of(Annotations.BARE_METAL_HOST, other.namespace + "/host-m1")));
            Agent unused = scene.report("a1", "m1");

            scene.awaitCondition("m1", "AgentApproved", "False/WaitingForBareMetalHost");
            assertThat(scene.message("m1", "Ready"))
                    .contains("names no BareMetalHost of its namespace and is ignored")
                    .doesNotContain(ConfigSamples.mac("host-m1"));

            scene.edit(Machine.class, "m1", machine -> {
                machine.getMetadata().setAnnotations(Map.of(Annotations.POWER_OFF_HOST, ""));
                machine.getMetadata().setFinalizers(List.of("tenant.example/keep"));
            });
            scene.delete(Machine.class, "m1");
            scene.awaitCondition("m1", "HostPoweredOff", "False/PoweringOffHost");
            scene.provider.awaitRest();
            assertThat(other.require(BareMetalHost.class, "host-m1")
                            .getMetadata()
                            .getResourceVersion())
                    .isEqualTo(before);
            scene.edit(Machine.class, "m1", machine -> machine.getMetadata().setFinalizers(List.of()));
        }
    }
}
