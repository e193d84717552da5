package io.capoa.lab.assisted;

import static io.capoa.lab.assisted.ServiceScene.condition;
import static io.capoa.lab.assisted.ServiceScene.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Fields;
import io.capoa.lab.assisted.HostValidations.Validation;
import io.capoa.lab.controller.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A healthy installation passes through the failing checks that a real service was seen to report, in their order. */
@Tag("full")
class FirstRoundsTest extends ServiceTest {

    private static final String MULTINODE = """
        networking: {}
        apiVIPs: [192.0.2.10]
        ingressVIPs: [192.0.2.11]
        platformType: BareMetal
        provisionRequirements: {controlPlaneAgents: 3, workerAgents: 2}
        """;
    private static final String FAILING = "The agent's validations are failing: ";
    private static final String MASTERS =
            "The cluster must have exactly 3 dedicated control plane nodes. Add or remove hosts,"
                    + " or change their roles configurations to meet the requirement.";

    @Test
    void aHostOfSeveral_passesInsufficient_untilTheServiceHasHeardOfAll() {
        scene.cluster(MULTINODE, 1);
        List<String> seen = scene.recorded(Agent.class, scene.agentName(0));
        scene.register(0);

        eventually(() -> assertThat(seen).contains("state=known"));
        assertThat(only(seen, "state")).containsExactly("discovering", "insufficient", "known");
        assertThat(only(seen, "Validated"))
                .containsExactly(
                        "Unknown/ValidationsUnknown | The agent's validations have not yet been calculated",
                        "False/ValidationsFailing | " + FAILING
                                + "Not enough hosts in cluster to calculate connectivity groups,"
                                + "Missing MTU report information,Host couldn't synchronize with any NTP server,"
                                + "DNS wildcard check cannot be performed yet because the host has not yet performed DNS"
                                + " resolution,Missing network latency information.,Missing packet loss information.",
                        "False/ValidationsFailing | " + FAILING
                                + "No connectivity to the majority of hosts in the cluster",
                        "True/ValidationsPassing | The agent's validations are passing");
        assertThat(only(seen, "RequirementsMet").stream().map(FirstRoundsTest::state))
                .containsExactly("False/AgentNotReady", "False/AgentIsNotApproved");
    }

    @Test
    void theOnlyHostOfASingleNode_waitsForItsTimeAlone_andOneThatJoinsForItsIgnition() {
        assertThat(unmet(FirstRounds.of(0, false, true, 1, List.of()))).containsExactly("ntp-synced failure");
        assertThat(unmet(FirstRounds.of(1, false, true, 1, List.of()))).isEmpty();
        assertThat(unmet(FirstRounds.of(0, true, false, 6, List.of())))
                .containsExactly("ignition-downloadable pending");
        assertThat(unmet(FirstRounds.of(0, false, false, 5, List.of())))
                .containsExactly(
                        "belongs-to-majority-group failure",
                        "mtu-valid pending",
                        "ntp-synced failure",
                        "sufficient-network-latency-requirement-for-role pending",
                        "sufficient-packet-loss-requirement-for-role pending");
    }

    @Test
    void aCluster_isPendingForInput_thenInsufficient() {
        List<String> seen = scene.recorded(AgentClusterInstall.class, "c");
        scene.cluster(MULTINODE, 5);
        eventually(() -> assertThat(seen).contains("state=pending-for-input"));
        List<String> agents = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            agents.add(scene.register(i));
        }
        eventually(() -> assertThat(seen).contains("state=ready"));
        for (int i = 0; i < 5; i++) {
            scene.approve(agents.get(i), i < 3 ? "master" : "worker");
        }
        eventually(() -> assertThat(seen).contains("state=installing"));

        assertThat(only(seen, "state"))
                .containsSubsequence(
                        "insufficient",
                        "pending-for-input",
                        "insufficient",
                        "ready",
                        "preparing-for-installation",
                        "installing");
        assertThat(only(seen, "Validated"))
                .startsWith("False/ValidationsFailing | The cluster's validations are failing: ")
                .containsSubsequence(
                        "False/ValidationsUserPending | The cluster's validations are pending for user: " + MASTERS
                                + ",Hosts have not been discovered yet",
                        "False/ValidationsUserPending | The cluster's validations are pending for user: The Machine"
                                + " Network CIDR is undefined; the Machine Network CIDR can be defined by setting either"
                                + " the API or Ingress virtual IPs.",
                        "True/ValidationsPassing | The cluster's validations are passing")
                .anyMatch(
                        line -> line.startsWith("False/ValidationsFailing | The cluster's validations are failing: The"
                                + " cluster has hosts that are not ready to install."));
        assertThat(Fields.list(scene.install(), "status", "validationsInfo", "network"))
                .allSatisfy(check -> assertThat(Fields.any(check, "status")).isEqualTo("success"));
    }

    @Test
    void untilTheRoundsAreOver_aWorkerCountsAsAControlPlane_andTheCountsAreSaid() {
        List<InstallInputs.HostFacts> hosts = new ArrayList<>();
        for (String role : List.of("master", "master", "master", "worker", "worker")) {
            HostRecord host = new HostRecord(new Key("ns", "h" + hosts.size()), "infra-env", Map.of());
            host.state = HostState.KNOWN;
            host.wish = new HostRecord.Wish(true, role, "", "", "", Map.of(), "");
            assertThat(host.facts().role()).isEqualTo("master");
            host.suggested = hosts.size() == 3 ? "master" : "";
            hosts.add(host.facts());
        }
        var inputs = new InstallInputs(new Requirements(3, 2), hosts, false, ClusterChecks.MET);

        assertThat(InstallFlow.next(ClusterState.READY, inputs, true)).isEqualTo(ClusterState.READY);
        assertThat(InstallConditionsReport.of(SpecSync.OK, ClusterState.READY, inputs))
                .filteredOn(condition -> condition.type().equals("RequirementsMet"))
                .containsExactly(ServiceCondition.no(
                        "RequirementsMet",
                        "InsufficientAgents",
                        "The cluster currently requires exactly 3 master agents, 0 arbiter agents and 2 worker agents,"
                                + " but currently registered 4 master agents, 0 arbiter agents and 1 worker agents"));
    }

    @Test
    void aWriteThatConflicts_isReported_andRetried() {
        int conflicted = -1;
        Behaviour behaviour = new Behaviour();
        for (int i = 0; conflicted < 0; i++) {
            conflicted = behaviour.meetsConflict(scene.agentName(i)) ? i : -1;
        }
        scene.cluster(MULTINODE, 0);
        scene.infraEnv("m-" + conflicted, "");
        String name = scene.agentName(conflicted);
        List<String> seen = scene.recorded(Agent.class, name);
        scene.register(conflicted);

        // The watch reports a change later than a read does.
        eventually(() -> assertThat(only(seen, "SpecSynced"))
                .containsExactly(
                        "False/BackendError | The Spec could not be synced due to backend error: failed to update"
                                + " agent "
                                + scene.namespace + "/" + name + ": Operation cannot be fulfilled on"
                                + " agents.agent-install.openshift.io \"" + name + "\": the object has been modified;"
                                + " please apply your changes to the latest version and try again",
                        "True/SyncOK | The Spec has been successfully applied"));
    }

    @Test
    void aHostThatFails_failsAllOthers_andKeepsItsOwnMessage() {
        scene.cluster(MULTINODE.replace("workerAgents: 2", "workerAgents: 0"), 3);
        List<String> agents = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            agents.add(scene.register(i));
            scene.approve(agents.get(i), "master");
        }
        for (String agent : agents) {
            eventually(() -> assertThat(scene.host(agent).state).isEqualTo(HostState.INSTALLING));
        }
        scene.progress(agents.get(0), Stages.STARTING, "");
        scene.progress(agents.get(1), Stages.STARTING, "");

        scene.progress(agents.get(1), Stages.FAILED, "made to fail");

        eventually(() -> {
            assertThat(condition(scene.install(), "Failed")).isEqualTo("True/InstallationFailed");
            for (String agent : agents) {
                assertThat(Fields.string(scene.agent(agent), "status", "debugInfo", "state"))
                        .isEqualTo("error");
            }
        });
        assertThat(agents.stream()
                        .map(agent -> ServiceScene.message(scene.agent(agent), "Installed"))
                        .toList())
                .containsExactly(
                        "The installation has failed: Host is part of a cluster that failed to install",
                        "The installation has failed: Failed - made to fail",
                        "The installation has failed: Host is part of a cluster that failed to install");
        assertThat(Fields.string(scene.agent(agents.get(1)), "status", "progress", "currentStage"))
                .isEqualTo(Stages.STARTING);
    }

    private static List<String> only(List<String> seen, String what) {
        return seen.stream()
                .filter(line -> line.startsWith(what + "="))
                .map(line -> line.substring(what.length() + 1))
                .filter(line -> !line.equals("null"))
                .toList();
    }

    private static String state(String line) {
        return line.substring(0, line.indexOf(" | "));
    }

    private static List<String> unmet(List<Validation> checks) {
        return checks.stream()
                .filter(check -> !check.met())
                .map(check -> check.id() + " " + check.status())
                .toList();
    }
}
