package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.lab.provider.Conflicts;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A control plane after its installation, and after a failed one. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class DayTwoTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    @Test
    void aControlPlane_growsToFiveAndShrinksToThree_oneMachineAtATime(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, WholeLab::withoutWorkers);
        lab.awaitReady(namespace);
        List<Machine> three = controlPlanes(lab, namespace);

        lab.patchControlPlane(namespace, "{\"spec\":{\"replicas\":5}}");
        Predicate<Machine> joining = machine -> Fields.string(machine, "status", "nodeRef", "name") == null;
        try (var counts = new Counts(lab, namespace, joining)) {
            await().atMost(WholeLab.SOON)
                    .until(() -> readyControlPlanes(lab, namespace).size() == 5);
            assertThat(counts.seen()).contains(1).isSubsetOf(0, 1);
        }
        lab.awaitReady(namespace);
        assertThat(uids(controlPlanes(lab, namespace))).containsAll(uids(three));

        lab.patchControlPlane(namespace, "{\"spec\":{\"replicas\":3}}");
        Predicate<Machine> going = machine -> machine.getMetadata().getDeletionTimestamp() != null;
        try (var counts = new Counts(lab, namespace, going)) {
            await().atMost(WholeLab.SOON)
                    .until(() -> controlPlanes(lab, namespace).size() == 3);
            assertThat(counts.seen()).contains(1).isSubsetOf(0, 1);
        }
        lab.awaitReady(namespace);
        assertThat(condition(lab, namespace, "ScalingUp")).isEqualTo(Condition.FALSE);
        assertThat(condition(lab, namespace, "ScalingDown")).isEqualTo(Condition.FALSE);
        assertThat(condition(lab, namespace, "Available")).isEqualTo(Condition.TRUE);
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    @Test
    void twoMachinesThatAreDeletedTogether_areReplacedOneAfterTheOther_withoutLosingTheMajority(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, WholeLab::withoutWorkers);
        lab.awaitReady(namespace);
        List<Machine> lost = controlPlanes(lab, namespace).subList(0, 2);
        lost.forEach(machine -> lab.admin().resource(machine).delete());

        Set<Integer> members = new TreeSet<>();
        await().atMost(WholeLab.SOON.multipliedBy(2)).until(() -> {
            EtcdHealth etcd = InstalledCluster.etcd(kubeconfig(lab, namespace));
            if (etcd.reached()) {
                members.add(etcd.members());
            }
            return readyControlPlanes(lab, namespace).size() == 3
                    && uids(controlPlanes(lab, namespace)).stream().noneMatch(uids(lost)::contains);
        });
        // Each leaves after its replacement has joined.
        assertThat(members).contains(4).isSubsetOf(3, 4);
        lab.awaitReady(namespace);
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    @Test
    void aHealthyMachineThatTheUserDeletes_isDrainedOnceTheMemberOfItsReplacementVotes(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.apply(namespace, WholeLab::withoutWorkers);
        lab.awaitReady(namespace);
        Machine leaving = controlPlanes(lab, namespace).getFirst();
        String uid = leaving.getMetadata().getUid();
        String kubeconfig = kubeconfig(lab, namespace);
        List<String> reasons = new CopyOnWriteArrayList<>();
        Set<String> before = voters(kubeconfig);
        List<Set<String>> atDrain = new CopyOnWriteArrayList<>();
        try (SharedIndexInformer<Machine> machines = lab.admin()
                .resources(Machine.class)
                .inNamespace(namespace)
                .inform(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(Machine machine) {}

                    @Override
                    public void onUpdate(Machine before, Machine machine) {
                        if (!uid.equals(machine.getMetadata().getUid())) {
                            return;
                        }
                        ConditionView.of(machine, "Deleting")
                                .map(ConditionView::reason)
                                .ifPresent(reasons::add);
                        // The replacement stays a member once it is one, so that it may be asked for a moment later.
                        if (atDrain.isEmpty()
                                && Fields.string(machine, "status", "deletion", "nodeDrainStartTime") != null) {
                            atDrain.add(voters(kubeconfig));
                        }
                    }

                    @Override
                    public void onDelete(Machine machine, boolean unknown) {}
                })) {
            await().atMost(WholeLab.SOON).until(machines::hasSynced);
            lab.admin().resource(leaving).delete();
            await().atMost(WholeLab.SOON)
                    .until(() -> lab.condition(namespace, "ScalingDown")
                            .filter(c -> c.message().contains("another Machine has to join first"))
                            .isPresent());
            // Its replacement has no host until now.
            lab.peers().rack(namespace, 4);
            await().atMost(WholeLab.SOON)
                    .until(() -> controlPlanes(lab, namespace).size() == 3
                            && !uids(controlPlanes(lab, namespace)).contains(uid));
            await("the watch is as far as that")
                    .atMost(WholeLab.SOON)
                    .until(() -> reasons.contains("WaitingForPreTerminateHook"));
        }

        assertThat(reasons).containsSubsequence("WaitingForPreDrainHook", "WaitingForPreTerminateHook");
        assertThat(atDrain)
                .singleElement()
                .satisfies(voters -> assertThat(voters)
                        .as("voters when the drain began, before: " + before)
                        .hasSizeGreaterThanOrEqualTo(3)
                        .anyMatch(voter -> !before.contains(voter)));
        lab.awaitReady(namespace);
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    /** Names of healthy members that vote. */
    private static Set<String> voters(String kubeconfig) {
        return Objects.requireNonNull(InstalledCluster.etcdState(kubeconfig).membership()).members().stream()
                .filter(EtcdMember::isHealthyVoter)
                .map(EtcdMember::name)
                .collect(Collectors.toSet());
    }

    private static String kubeconfig(WholeLab lab, String namespace) {
        return lab.admin()
                .secrets()
                .inNamespace(namespace)
                .withName("multinode-kubeconfig")
                .require()
                .getData()
                .get("value");
    }

    @Test
    void theTemplate_reachesMachinesInPlace(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        Set<String> before = uids(controlPlanes(lab, namespace));

        lab.patchControlPlane(namespace, """
                {"spec":{"machineTemplate":{"metadata":{"labels":{"tier":"gold"}},
                 "spec":{"deletion":{"nodeDrainTimeoutSeconds":77}}}}}""");
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(controlPlanes(lab, namespace))
                        .hasSize(3)
                        .allSatisfy(machine -> {
                            assertThat(machine.getMetadata().getLabels()).containsEntry("tier", "gold");
                            assertThat(Fields.integer(machine, "spec", "deletion", "nodeDrainTimeoutSeconds"))
                                    .isEqualTo(77);
                        }));
        lab.patchControlPlane(namespace, "{\"spec\":{\"machineTemplate\":{\"metadata\":null}}}");
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(controlPlanes(lab, namespace))
                        .allSatisfy(machine ->
                                assertThat(machine.getMetadata().getLabels()).doesNotContainKey("tier")));
        assertThat(uids(controlPlanes(lab, namespace))).isEqualTo(before);
    }

    @Test
    void aFailedInstallation_saysWhy_andIsRetriedOnRequest(WholeLab lab) {
        String namespace = lab.namespace(5);
        List<BareMetalHost> hosts = lab.admin()
                .resources(BareMetalHost.class)
                .inNamespace(namespace)
                .list()
                .getItems();
        hosts.forEach(host -> lab.admin().resource(host).patch(MERGE, fail("\"Writing image to disk\"")));
        lab.apply(namespace, UnaryOperator.identity());
        await().atMost(WholeLab.SOON)
                .until(() -> lab.condition(namespace, "InstallSucceeding")
                        .filter(c -> c.reason().equals("InstallFailed")
                                && c.message().contains(Annotations.RETRY_INSTALL))
                        .isPresent());

        await().atMost(WholeLab.SOON).untilAsserted(() -> {
            String message =
                    lab.condition(namespace, "InstallSucceeding").orElseThrow().message();
            assertThat(hosts)
                    .as(message)
                    .extracting(host -> "Host " + host.getMetadata().getName())
                    .anyMatch(message::contains);
            assertThat(message).contains("Writing image to disk");
        });
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.admin()
                                .v1()
                                .events()
                                .inNamespace(namespace)
                                .list()
                                .getItems())
                        .anySatisfy(event -> {
                            assertThat(event.getInvolvedObject().getKind()).isEqualTo("OpenshiftAssistedControlPlane");
                            assertThat(event.getReason()).isEqualTo("InstallFailed");
                        })
                        .anySatisfy(event -> {
                            assertThat(event.getInvolvedObject().getKind()).isEqualTo("OpenshiftAssistedConfig");
                            assertThat(event.getMessage()).contains("Host host-");
                        }));
        Set<String> failed = uids(lab.machines(namespace));
        List<String> names = names(lab.machines(namespace));

        hosts.forEach(host -> lab.admin().resource(host).patch(MERGE, fail("null")));
        lab.patchControlPlane(
                namespace, "{\"metadata\":{\"annotations\":{\"" + Annotations.RETRY_INSTALL + "\":\"1\"}}}");
        await().atMost(WholeLab.SOON)
                .until(() -> lab.condition(namespace, "InstallSucceeding")
                        .filter(c -> !c.reason().equals("InstallFailed"))
                        .isPresent());
        lab.awaitReady(namespace);
        assertThat(readyControlPlanes(lab, namespace)).hasSize(3);
        assertThat(lab.machines(namespace)).hasSize(5);
        assertThat(uids(lab.machines(namespace))).doesNotContainAnyElementsOf(failed);
        // Cluster API may delete the config of a failed Machine once more, by its name.
        assertThat(names(lab.machines(namespace))).doesNotContainAnyElementsOf(names);
    }

    private static List<String> names(List<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getName()).toList();
    }

    @Test
    void everythingIsDeleted_withTheCluster(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);

        lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "Cluster")
                .inNamespace(namespace)
                .withName("multinode")
                .delete();
        await().atMost(WholeLab.SOON).untilAsserted(() -> {
            assertThat(lab.machines(namespace)).isEmpty();
            assertThat(lab.admin()
                            .resources(OpenshiftAssistedControlPlane.class)
                            .inNamespace(namespace)
                            .list()
                            .getItems())
                    .isEmpty();
        });
    }

    private static String fail(String stage) {
        return "{\"metadata\":{\"annotations\":{\"lab.capoa.io/fail\":" + stage + "}}}";
    }

    private static String condition(WholeLab lab, String namespace, String type) {
        return lab.condition(namespace, type).orElseThrow().status();
    }

    private static List<Machine> controlPlanes(WholeLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .filter(machine -> machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE))
                .toList();
    }

    private static List<Machine> readyControlPlanes(WholeLab lab, String namespace) {
        return controlPlanes(lab, namespace).stream()
                .filter(machine -> ConditionView.isTrue(machine, "Ready"))
                .toList();
    }

    private static Set<String> uids(List<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getUid()).collect(Collectors.toSet());
    }

    /** How many control-plane Machines are of a sort, after every change of one. */
    private static final class Counts implements ResourceEventHandler<Machine>, AutoCloseable {

        private final Predicate<Machine> sort;
        private final Set<String> ofTheSort = new HashSet<>();
        private final Set<Integer> seen = new ConcurrentSkipListSet<>();
        private final SharedIndexInformer<Machine> machines;

        Counts(WholeLab lab, String namespace, Predicate<Machine> sort) {
            this.sort = sort;
            this.machines = lab.admin()
                    .resources(Machine.class)
                    .inNamespace(namespace)
                    .withLabel(Labels.CONTROL_PLANE)
                    .inform(this);
        }

        Set<Integer> seen() {
            return seen;
        }

        @Override
        public void onAdd(Machine machine) {
            count(machine, sort.test(machine));
        }

        @Override
        public void onUpdate(Machine before, Machine machine) {
            count(machine, sort.test(machine));
        }

        @Override
        public void onDelete(Machine machine, boolean unknown) {
            count(machine, false);
        }

        private void count(Machine machine, boolean matches) {
            String uid = machine.getMetadata().getUid();
            var unused = matches ? ofTheSort.add(uid) : ofTheSort.remove(uid);
            seen.add(ofTheSort.size());
        }

        @Override
        public void close() {
            machines.close();
        }
    }
}
