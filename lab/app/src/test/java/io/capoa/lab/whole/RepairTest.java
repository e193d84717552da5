package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineHealthCheck;
import io.capoa.lab.provider.Conflicts;
import io.capoa.lab.workload.EtcdChange;
import io.capoa.lab.workload.Workload;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Control planes whose Machines are replaced, by a rollout or because they are dead. The voters of etcd are recorded at
 * every step and printed.
 */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class RepairTest {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String FAIL = "lab.capoa.io/fail";

    @Test
    void threeMasters_areReplacedByARollout_andADeadOneWithoutTheQuorumGuard(WholeLab lab) {
        String namespace = lab.namespace(4);
        lab.apply(namespace, WholeLab::withoutWorkers);
        lab.awaitReady(namespace);
        aSettingOfTheDiscovery_replacesNothing(lab, namespace);
        aRollout_replacesEveryMachine_withAVoterMoreThanThree(lab, namespace);
        aDeadMasterOfThree_isKept_untilTheQuorumGuardMayBeOverridden(lab, namespace);
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    private static void aSettingOfTheDiscovery_replacesNothing(WholeLab lab, String namespace) {
        Set<String> before = uids(lab.masters(namespace));

        lab.patchControlPlane(
                namespace,
                "{\"spec\":{\"openshiftAssistedConfigSpec\":{\"additionalNTPSources\":[\"ntp.lab.example\"]}}}");
        await().atMost(WholeLab.SOON)
                .until(() -> lab.controlPlane(namespace)
                        .getStatus()
                        .observedGeneration()
                        .equals(lab.controlPlane(namespace).getMetadata().getGeneration()));
        await().during(Duration.ofSeconds(2))
                .atMost(WholeLab.SOON)
                .until(() -> uids(lab.masters(namespace)).equals(before));
        assertThat(lab.condition(namespace, "MachinesUpToDate").orElseThrow().status())
                .isEqualTo("True");
    }

    private static void aRollout_replacesEveryMachine_withAVoterMoreThanThree(WholeLab lab, String namespace) {
        Set<String> before = uids(lab.masters(namespace));
        Recording recording = Recording.of(lab, namespace);

        lab.patchControlPlane(
                namespace, "{\"spec\":{\"openshiftAssistedConfigSpec\":{\"nodeLabels\":{\"rack\":\"b\"}}}}");
        List<Voters> voters =
                voters(recording.until(() -> lab.masters(namespace).size() == 3
                        && lab.masters(namespace).stream()
                                .allMatch(machine ->
                                        !before.contains(machine.getMetadata().getUid())
                                                && ConditionView.isTrue(machine, "Ready"))));

        System.out.println("etcd during a rollout of three (healthy/voters): " + voters);
        assertThat(voters).contains(new Voters(4, 4), new Voters(3, 3)).allMatch(Voters::hasMajority);
        assertThat(voters).extracting(Voters::all).allMatch(all -> all == 3 || all == 4);
        lab.awaitReady(namespace);
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, "RollingOut")
                                .orElseThrow()
                                .status())
                        .isEqualTo("False"));
    }

    private static void aDeadMasterOfThree_isKept_untilTheQuorumGuardMayBeOverridden(WholeLab lab, String namespace) {
        Machine dead = lab.masters(namespace).getFirst();
        lab.apply(namespace, healthCheck("Exists"));
        Recording recording = Recording.of(lab, namespace);
        kill(lab, dead);

        await().atMost(WholeLab.SOON).untilAsserted(() -> {
            assertThat(ConditionView.of(read(lab, dead), "OwnerRemediated"))
                    .as(() -> lab.admin()
                            .resources(MachineHealthCheck.class)
                            .inNamespace(namespace)
                            .list()
                            .getItems()
                            .toString())
                    .hasValueSatisfying(condition -> {
                        assertThat(condition.reason()).isEqualTo("CannotBeRemediated");
                        assertThat(condition.message()).contains("spec.remediation.overrideEtcdQuorumGuard");
                    });
            assertThat(lab.condition(namespace, "Remediating").orElseThrow().message())
                    .contains(dead.getMetadata().getName(), "overrideEtcdQuorumGuard");
        });
        assertThat(uids(lab.masters(namespace))).contains(dead.getMetadata().getUid());

        lab.patchControlPlane(namespace, "{\"spec\":{\"remediation\":{\"overrideEtcdQuorumGuard\":true}}}");
        List<Voters> voters = voters(recording.until(() -> isReplaced(lab, namespace, dead, 3)));

        System.out.println("etcd during the remediation of one of three (healthy/voters): " + voters);
        assertThat(voters).contains(new Voters(3, 2), new Voters(2, 2)).allMatch(Voters::hasMajority);
        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            await().atMost(WholeLab.SOON).untilAsserted(() -> {
                assertThat(workload.genericKubernetesResources("operator.openshift.io/v1", "Etcd")
                                .withName("cluster")
                                .require()
                                .<Object>get("spec", "unsupportedConfigOverrides"))
                        .asString()
                        .doesNotContain("true");
                assertThat(lab.controlPlane(namespace).getMetadata().getAnnotations())
                        .doesNotContainKey(Annotations.QUORUM_GUARD_OVERRIDDEN);
            });
        }
    }

    @Test
    void aDeadMasterOfFive_isReplaced_andTheRecordIsOnItsReplacement_beforeTheyShrinkToThree(WholeLab lab) {
        String namespace = lab.namespace(6);
        lab.apply(namespace, text -> WholeLab.withoutWorkers(text).replace("replicas: 3", "replicas: 5"));
        lab.awaitReady(namespace);
        Machine dead = lab.masters(namespace).getFirst();
        lab.apply(namespace, healthCheck("Exists"));
        String host = lab.hostOf(dead);

        Recording recording = Recording.of(lab, namespace);

        kill(lab, dead);
        List<EtcdChange> changes = recording.until(() -> isReplaced(lab, namespace, dead, 5));
        Instant removed = changes.stream()
                .filter(change -> change.members() == 4)
                .findFirst()
                .orElseThrow()
                .time();
        assertThat(wasOn(lab, namespace, host, removed))
                .as("power of the dead host when its member was removed")
                .isFalse();
        assertThat(lab.masters(namespace)).extracting(lab::hostOf).doesNotContain(host);
        List<Voters> voters = voters(changes);

        System.out.println("etcd during the remediation of one of five (healthy/voters): " + voters);
        assertThat(voters).contains(new Voters(5, 4), new Voters(4, 4)).allMatch(Voters::hasMajority);
        await().atMost(WholeLab.SOON).untilAsserted(() -> {
            assertThat(lab.controlPlane(namespace).getStatus().lastRemediation())
                    .satisfies(last -> {
                        assertThat(last.machine()).isEqualTo(dead.getMetadata().getName());
                        assertThat(last.retryCount()).isZero();
                    });
            assertThat(lab.masters(namespace))
                    .filteredOn(
                            machine -> machine.getMetadata().getAnnotations().containsKey(Annotations.REMEDIATION_FOR))
                    .hasSize(1);
            assertThat(lab.controlPlane(namespace).getMetadata().getAnnotations())
                    .doesNotContainKey(Annotations.REMEDIATION_IN_PROGRESS);
        });

        Recording shrinks = Recording.of(lab, namespace);
        lab.patchControlPlane(namespace, "{\"spec\":{\"replicas\":3}}");
        List<Voters> shrinking =
                voters(shrinks.until(() -> lab.masters(namespace).size() == 3));

        System.out.println("etcd while five shrink to three (healthy/voters): " + shrinking);
        assertThat(shrinking)
                .startsWith(new Voters(5, 5))
                .endsWith(new Voters(3, 3))
                .allMatch(Voters::hasMajority);
        assertThat(shrinking).extracting(Voters::all).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    @Test
    void aDeadWorkerAndADeadMaster_amongWorkers(WholeLab lab) {
        String namespace = lab.namespace(6);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        aDeadWorker_isReplaced(lab, namespace);
        aDeadMaster_isMarkedForItsOwner_andHealthyAgainOnceItRuns(lab, namespace);
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    private static void aDeadWorker_isReplaced(WholeLab lab, String namespace) {
        Machine worker = lab.machines(namespace).stream()
                .filter(machine -> !machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE))
                .findFirst()
                .orElseThrow();
        lab.apply(namespace, healthCheck("DoesNotExist"));

        // Not taken again, as after an external remediation that gave up.
        lab.annotateHost(namespace, lab.hostOf(worker), Annotations.HOST_UNHEALTHY, "");
        kill(lab, worker);

        await().atMost(WholeLab.SOON).untilAsserted(() -> {
            assertThat(lab.machines(namespace))
                    .extracting(machine -> machine.getMetadata().getUid())
                    .doesNotContain(worker.getMetadata().getUid());
            assertThat(lab.machines(namespace))
                    .hasSize(5)
                    .allSatisfy(machine ->
                            assertThat(ConditionView.isTrue(machine, "Ready")).isTrue());
        });
        lab.awaitReady(namespace);
        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            assertThat(workload.nodes().list().getItems()).hasSize(5);
        }
    }

    private static void aDeadMaster_isMarkedForItsOwner_andHealthyAgainOnceItRuns(WholeLab lab, String namespace) {
        Machine master = lab.masters(namespace).getFirst();
        String host = lab.hostOf(master);
        pause(lab, namespace);
        await().atMost(WholeLab.SOON)
                .until(() -> lab.condition(namespace, "Paused")
                        .filter(condition -> condition.status().equals("True"))
                        .isPresent());
        lab.apply(namespace, healthCheck("Exists"));

        lab.annotateHost(namespace, host, FAIL, "dead");

        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            await().atMost(WholeLab.SOON).untilAsserted(() -> {
                assertThat(condition(lab, master, "HealthCheckSucceeded")).isEqualTo("False UnhealthyNode");
                assertThat(condition(lab, master, "OwnerRemediated")).isEqualTo("False WaitingForRemediation");
                assertThat(condition(lab, master, "NodeHealthy")).isEqualTo("Unknown NodeHealthyUnknown");
                assertThat(etcdIsDegraded(workload)).isTrue();
            });

            lab.annotateHost(namespace, host, FAIL, null);
            await().atMost(WholeLab.SOON).untilAsserted(() -> {
                assertThat(condition(lab, master, "HealthCheckSucceeded")).isEqualTo("True HealthCheckSucceeded");
                assertThat(etcdIsDegraded(workload)).isFalse();
            });
        }
    }

    /** The control plane's own remediation is not what this test is about. */
    private static void pause(WholeLab lab, String namespace) {
        lab.admin()
                .resource(lab.controlPlane(namespace))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":\"\"}}}");
    }

    private static String healthCheck(String operator) {
        return """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata: {name: check}
            spec:
              clusterName: multinode
              selector: {matchExpressions: [{key: cluster.x-k8s.io/control-plane, operator: %s}]}
              checks:
                nodeStartupTimeoutSeconds: 0
                unhealthyNodeConditions:
                - {type: Ready, status: Unknown, timeoutSeconds: 1}
                - {type: Ready, status: "False", timeoutSeconds: 1}
            """.formatted(operator);
    }

    /** The host dies, and Metal3 must not choose it again, as after an external remediation that gave up. */
    private static void kill(WholeLab lab, Machine machine) {
        String namespace = machine.getMetadata().getNamespace();
        String host = lab.hostOf(machine);
        lab.annotateHost(namespace, host, FAIL, "dead");
    }

    private static boolean isReplaced(WholeLab lab, String namespace, Machine dead, int replicas) {
        List<Machine> now = lab.masters(namespace);
        return now.size() == replicas
                && now.stream()
                        .allMatch(machine -> !machine.getMetadata()
                                        .getUid()
                                        .equals(dead.getMetadata().getUid())
                                && ConditionView.isTrue(machine, "Ready"));
    }

    /** Whether the host was on by its last report before the moment. */
    private static boolean wasOn(WholeLab lab, String namespace, String host, Instant moment) {
        return lab.audit().since(lab.audit().start(), namespace).stream()
                .filter(write -> write.isWrite()
                        && write.succeeded()
                        && write.resource().equals("baremetalhosts")
                        && write.namespace().equals(namespace)
                        && write.name().equals(host)
                        && write.received().isBefore(moment))
                .map(write -> write.object().path("status").path("poweredOn"))
                .filter(JsonNode::isBoolean)
                .reduce((earlier, later) -> later)
                .orElseThrow()
                .asBoolean();
    }

    /** etcd of a cluster from now on, in every state, however short: as its simulation has recorded them. */
    private record Recording(Workload workload, int begin) {

        static Recording of(WholeLab lab, String namespace) {
            Workload workload = lab.simulated(namespace);
            return new Recording(workload, workload.etcdHistory().size() - 1);
        }

        /** From the state at the beginning until the end. */
        List<EtcdChange> until(BooleanSupplier end) {
            await().atMost(PATIENCE).until(end::getAsBoolean);
            List<EtcdChange> all = workload.etcdHistory();
            return all.subList(begin, all.size());
        }
    }

    private static List<Voters> voters(List<EtcdChange> changes) {
        return changes.stream().map(Voters::of).toList();
    }

    private static GenericKubernetesResource read(WholeLab lab, Machine machine) {
        return lab.admin()
                .resources(Machine.class)
                .inNamespace(machine.getMetadata().getNamespace())
                .withName(machine.getMetadata().getName())
                .require();
    }

    private static Set<String> uids(List<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getUid()).collect(Collectors.toSet());
    }

    private static String condition(WholeLab lab, Machine machine, String type) {
        GenericKubernetesResource now = lab.admin()
                .resources(Machine.class)
                .inNamespace(machine.getMetadata().getNamespace())
                .withName(machine.getMetadata().getName())
                .require();
        return ConditionView.of(now, type)
                .map(condition -> condition.status() + " " + condition.reason())
                .orElse("");
    }

    private static boolean etcdIsDegraded(KubernetesClient workload) {
        GenericKubernetesResource etcd = workload.genericKubernetesResources("operator.openshift.io/v1", "Etcd")
                .withName("cluster")
                .require();
        return ConditionView.isTrue(etcd, "EtcdMembersDegraded");
    }
}
