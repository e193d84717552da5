package io.capoa.controlplane.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.operation.OperationScene.Host;
import io.capoa.controlplane.workload.etcd.OpenshiftMachine;
import io.capoa.controlplane.workload.health.OperatorHealth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which operation comes first, and what it does next. */
class OperationTest {

    private static final String ROLLING = "rollout: {strategy: {type: RollingUpdate}}";

    private static final OperatorHealth WELL = new OperatorHealth("kube-apiserver", true, false, "");

    private final OperationScene three = new OperationScene(3);

    @Test
    void aControlPlaneAsWanted_needsNothing() {
        assertThat(three.next()).isEqualTo(new Operation.None());
    }

    @Test
    void theOrder_isRetry_removal_remediation_upgrade_rollout_scaling() {
        OperationScene scene = new OperationScene(5);
        scene.settings = ROLLING;
        scene.replicas = 4;
        assertThat(scene.next()).isInstanceOf(Operation.Shrink.class);
        scene.host(0).outdated = true;
        assertThat(scene.next()).isInstanceOf(Operation.RollOut.class);
        scene.upgrading = true;
        assertThat(scene.next()).isEqualTo(new Operation.Upgrade());
        scene.host(1).deleting = true;
        assertThat(scene.next()).isInstanceOf(Operation.Removal.class);
        scene.retryDue = true;
        assertThat(scene.next()).isEqualTo(new Operation.Retry());
    }

    @Test
    void anUnhealthyMachine_comesBeforeARolloutAndScaling() {
        OperationScene scene = new OperationScene(5);
        scene.settings = ROLLING;
        scene.host(0).outdated = true;
        kill(scene.host(2));
        assertThat(scene.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(scene.host(2))));
    }

    @Test
    void aHealthyMemberOfThree_leavesAfterItsReplacementHasJoined() {
        three.host(0).deleting = true;
        assertThat(three.next()).isEqualTo(new Operation.Removal(new Action.Create(1)));
        Host joining = three.create();
        assertThat(three.next()).isEqualTo(new Operation.Removal(new Action.Nothing()));
        joining.joined = true;
        joining.member = true;
        assertThat(three.next()).isEqualTo(new Operation.Removal(new Action.Nothing()));
    }

    @Test
    void aHealthyMemberOfFive_leavesFirst() {
        OperationScene five = new OperationScene(5);
        five.host(0).deleting = true;
        assertThat(five.next().action()).isInstanceOf(Action.Defer.class);
    }

    @Test
    void aRollout_createsBeforeItDeletes_andEndsWithTheWantedNumber() {
        three.settings = ROLLING;
        three.hosts.forEach(host -> host.outdated = true);
        for (int turn = 0; turn < 3; turn++) {
            assertThat(three.next()).isEqualTo(new Operation.RollOut(new Action.Create(1)));
            Host joining = three.create();
            assertThat(three.next().action())
                    .isInstanceOfSatisfying(
                            Action.Defer.class,
                            wait -> assertThat(wait.message()).contains(joining.name + " has no node yet"));
            joining.joined = true;
            joining.member = true;
            assertThat(three.next().action())
                    .isInstanceOfSatisfying(
                            Action.Delete.class,
                            delete -> three.hosts.removeIf(host -> host.name.equals(
                                    delete.machine().getMetadata().getName())));
        }
        assertThat(three.hosts).hasSize(3).noneMatch(host -> host.outdated);
        assertThat(three.next()).isEqualTo(new Operation.None());
    }

    @Test
    void everyStepOfARollout_waitsForTheComponentsOfTheControlPlane() {
        three.settings = ROLLING;
        three.hosts.forEach(host -> host.outdated = true);
        three.operator = new OperatorHealth("kube-apiserver", false, false, "no pod runs");
        assertWaits(three, "ClusterOperator kube-apiserver is not available (no pod runs)");
        three.operator = new OperatorHealth("kube-scheduler", true, true, "it crashes");
        assertWaits(three, "ClusterOperator kube-scheduler is degraded (it crashes)");
        three.operator = WELL;
        assertThat(three.next().action()).isEqualTo(new Action.Create(1));
        Host joining = three.create();
        joining.joined = true;
        joining.member = true;
        joining.serves = false;
        assertWaits(three, "kube-apiserver is not ready on Node " + joining.name);
        joining.serves = true;
        three.operator = new OperatorHealth("kube-apiserver", true, true, "a pod crashes");
        assertWaits(three, "is degraded (a pod crashes)");
        three.operator = WELL;
        assertThat(three.next().action()).isInstanceOf(Action.Delete.class);
    }

    @Test
    void scaling_waitsForTheComponentsToo() {
        OperationScene five = new OperationScene(5);
        five.replicas = 3;
        five.host(4).serves = false;
        assertWaits(five, "kube-apiserver is not ready on Node m-4");
        five.replicas = 6;
        assertWaits(five, "kube-apiserver is not ready on Node m-4");
    }

    @Test
    void aHostWithoutKubeApiserver_isReplaced_whateverItDegrades() {
        OperationScene five = new OperationScene(5);
        five.replicas = 4;
        five.host(4).serves = false;
        five.host(4).annotations.put(Annotations.DELETE_MACHINE, "");
        five.operator = new OperatorHealth("kube-apiserver", true, true, "pod kube-apiserver-m-4 crashes");
        assertThat(five.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(five.host(4))));

        three.host(0).deleting = true;
        three.host(0).serves = false;
        three.operator = five.operator;
        assertThat(three.next()).isEqualTo(new Operation.Removal(new Action.Create(1)));
    }

    @Test
    void remediation_leavesAnotherKubeApiserver() {
        OperationScene five = new OperationScene(5);
        kill(five.host(0));
        five.operator = new OperatorHealth("kube-apiserver", true, true, "Node m-0 is not ready");
        assertThat(five.next().action()).isInstanceOf(Action.Delete.class);
        five.hosts.forEach(host -> host.serves = false);
        assertRefused(five, ControlPlaneMachineConditions.CANNOT_BE_REMEDIATED, "not ready on any other Node");
    }

    @Test
    void aHostWhoseMemberNeverStarts_isReplaced_andDeletedByScaling() {
        OperationScene four = new OperationScene(3);
        Host stuck = four.create();
        stuck.joined = true;
        stuck.learner = true;
        stuck.annotations.put(Annotations.DELETE_MACHINE, "");
        assertThat(four.next()).isEqualTo(new Operation.Shrink(new Action.Delete(OperationScene.machine(stuck))));
        stuck.annotations.clear();
        assertWaits(four, "etcd is being changed");
        stuck.unhealthy = true;
        assertThat(four.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(stuck)));
    }

    @Test
    void withoutSurge_fourMachinesShrinkFirst_threeAreRefused() {
        OperationScene four = new OperationScene(4);
        four.settings = "rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0}}}";
        four.host(1).outdated = true;
        assertThat(four.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(four.host(1))));
        three.settings = four.settings;
        three.host(1).outdated = true;
        assertThat(three.next().action())
                .isInstanceOfSatisfying(
                        Action.Defer.class, wait -> assertThat(wait.message()).contains("maxSurge to 1"));
    }

    /** {@code kubectl scale} through an older version passes the API server. */
    @Test
    void aClusterThatWasInstalledAsASingleNode_getsNoMoreHosts() {
        OperationScene one = new OperationScene(1);
        one.singleNode = true;
        assertThat(one.next()).isEqualTo(new Operation.None());
        one.replicas = 3;
        assertWaits(one, "the cluster was installed as a single node and cannot have more: set spec.replicas to 1");
        one.singleNode = false;
        assertThat(one.next().action())
                .as("the last of three is replaced by others")
                .isInstanceOf(Action.Create.class);
    }

    @Test
    void aSingleNode_isNeverRolled() {
        OperationScene one = new OperationScene(1);
        one.settings = ROLLING;
        one.host(0).outdated = true;
        assertThat(one.next().action()).isInstanceOf(Action.Defer.class);
        OperationScene three = new OperationScene(3);
        three.settings = ROLLING;
        three.replicas = 1;
        three.host(0).outdated = true;
        assertWaits(three, "an installed cluster with 3 hosts cannot become a single node");
    }

    @Test
    void onDelete_isWhatTheUserSays_orTheDefaultOfAdoptedMachines() {
        three.host(0).outdated = true;
        assertThat(three.next()).as("names of another owner").isEqualTo(new Operation.None());
        three.settings = "rollout: {strategy: {type: OnDelete}}";
        assertThat(three.next()).isEqualTo(new Operation.None());
        three.settings = ROLLING;
        assertThat(three.next()).isInstanceOf(Operation.RollOut.class);
    }

    @Test
    void aDeadMemberOfThree_isReplaced_onlyWhereTheQuorumGuardMayBeOverridden() {
        kill(three.host(0));
        assertRefused(three, ControlPlaneMachineConditions.CANNOT_BE_REMEDIATED, "overrideEtcdQuorumGuard");
        three.settings = "remediation: {overrideEtcdQuorumGuard: true}";
        assertThat(three.next()).isInstanceOf(Operation.Remediate.class);
        assertThat(three.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(three.host(0))));
    }

    @Test
    void remediation_waitsForAnUpgrade_aDeletionAndAnotherMachine() {
        OperationScene five = new OperationScene(5);
        kill(five.host(0));
        five.upgrading = true;
        assertRefused(five, ControlPlaneMachineConditions.REMEDIATION_DEFERRED, "upgraded");
        five.upgrading = false;
        five.updatingNodes = "master 1 of 5 nodes";
        assertRefused(
                five,
                ControlPlaneMachineConditions.REMEDIATION_DEFERRED,
                "are being updated and restart: MachineConfigPool master 1 of 5 nodes");
        five.updatingNodes = "";
        five.host(1).deleting = true;
        assertRefused(five, ControlPlaneMachineConditions.REMEDIATION_DEFERRED, "m-1 is still being deleted");
        five.host(1).deleting = false;
        five.host(1).joined = false;
        assertRefused(five, ControlPlaneMachineConditions.REMEDIATION_DEFERRED, "m-1 has no node yet");
    }

    @Test
    void remediation_neverCostsTheMajority() {
        OperationScene five = new OperationScene(5);
        kill(five.host(0));
        kill(five.host(1));
        assertThat(five.next().action()).as("three of four are left").isInstanceOf(Action.Delete.class);
        kill(five.host(2));
        assertRefused(five, ControlPlaneMachineConditions.REMEDIATION_DEFERRED, "does not answer");
        OperationScene one = new OperationScene(1);
        kill(one.host(0));
        assertRefused(one, ControlPlaneMachineConditions.CANNOT_BE_REMEDIATED, "only Machine");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void retries_areLimited(int most) {
        OperationScene five = new OperationScene(5);
        five.settings = "remediation: {maxRetry: %d, retryPeriodSeconds: 600}".formatted(most);
        kill(five.host(0));
        five.host(0)
                .annotations
                .put(
                        Annotations.REMEDIATION_FOR,
                        new RemediationRecord("old", OperationScene.NOW.minusSeconds(300), 0, false).value());
        assertRefused(five, ControlPlaneMachineConditions.REMEDIATION_DEFERRED, "retryPeriodSeconds");
        five.now = OperationScene.NOW.plusSeconds(400);
        if (most == 0) {
            assertRefused(five, ControlPlaneMachineConditions.CANNOT_BE_REMEDIATED, "maxRetry (0)");
        } else {
            assertThat(Remediation.verdict(five.situation(), five.etcd()).orElseThrow())
                    .satisfies(verdict -> assertThat(verdict.action()).isInstanceOf(Action.Delete.class))
                    .satisfies(verdict -> assertThat(verdict.record()).isNotNull())
                    .extracting(verdict -> verdict.record().retryCount())
                    .isEqualTo(1);
        }
        five.now = OperationScene.NOW.plusSeconds(4000);
        assertThat(five.next().action()).as("it was healthy for long enough").isInstanceOf(Action.Delete.class);
    }

    @Test
    void aSecondRemediation_beforeTheFirstReplacementExists_keepsRetriesAndConsent() {
        OperationScene five = new OperationScene(5);
        kill(five.host(0));
        five.inProgress = new RemediationRecord("gone", OperationScene.NOW.minusSeconds(60), 2, true);
        assertThat(Remediation.verdict(five.situation(), five.etcd())
                        .orElseThrow()
                        .record())
                .isEqualTo(new RemediationRecord("m-0", OperationScene.NOW, 2, true));
    }

    @Test
    void whileTheTopologyIsAboutToUpgrade_nothingBegins() {
        String pending = "the Cluster's topology asks for Kubernetes v1.34.5";
        OperationScene five = new OperationScene(5);
        five.topologyVersion = "v1.34.5";
        assertThat(five.next()).isEqualTo(new Operation.None());
        five.replicas = 4;
        assertWaits(five, pending);
        five.replicas = 5;
        five.settings = ROLLING;
        five.host(0).outdated = true;
        assertWaits(five, pending);
        kill(five.host(0));
        assertRefused(five, ControlPlaneMachineConditions.REMEDIATION_DEFERRED, pending);
    }

    @Test
    void beforeTheInstallation_anUnhealthyMachineIsReplaced_duringItNot() {
        three.stage = Stage.BEFORE;
        kill(three.host(0));
        three.host(0).joined = false;
        assertThat(three.next().action()).isInstanceOf(Action.Delete.class);
        three.stage = Stage.DURING;
        assertRefused(three, ControlPlaneMachineConditions.CANNOT_BE_REMEDIATED, Annotations.RETRY_INSTALL);
    }

    @Test
    void withAFunctionalMachineApi_nothingJoins_beforeItHasAMachineThere() {
        String remedy =
                "create a Machine and a BareMetalHost for the new host in namespace openshift-machine-api first";
        OperationScene scene = new OperationScene(3);
        scene.hosts.forEach(
                host -> scene.ownMachines.add(new OpenshiftMachine(host.name, "u", host.name, true, false)));
        assertThat(scene.next()).isInstanceOf(Operation.None.class);

        scene.replicas = 5;
        assertThat(scene.next().action())
                .isInstanceOfSatisfying(
                        Action.Defer.class, wait -> assertThat(wait.message()).endsWith(remedy));
        scene.ownMachines.add(new OpenshiftMachine("new", "u", null, false, false));
        assertThat(scene.next().action()).isInstanceOf(Action.Create.class);

        scene.replicas = 3;
        scene.ownMachines.removeLast();
        scene.settings = ROLLING;
        scene.host(0).outdated = true;
        assertThat(scene.next().action())
                .isInstanceOfSatisfying(
                        Action.Defer.class, wait -> assertThat(wait.message()).endsWith(remedy));
        kill(scene.host(1));
        assertRefused(scene, "CannotBeRemediated", remedy);
    }

    @Test
    void aMarkedMachine_isRemediatedFirst_thenOneWithoutNode() {
        OperationScene five = new OperationScene(5);
        kill(five.host(0));
        kill(five.host(1));
        five.host(1).annotations.put(Annotations.REMEDIATE_MACHINE, "");
        assertThat(five.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(five.host(1))));
    }

    private static void assertWaits(OperationScene scene, String message) {
        assertThat(scene.next().action())
                .isInstanceOfSatisfying(
                        Action.Defer.class, wait -> assertThat(wait.message()).contains(message));
    }

    private static void kill(Host host) {
        host.on = false;
        host.unhealthy = true;
    }

    private static void assertRefused(OperationScene scene, String reason, String message) {
        assertThat(Remediation.verdict(scene.situation(), scene.etcd())).hasValueSatisfying(verdict -> {
            assertThat(verdict.acts()).isFalse();
            assertThat(verdict.condition().reason()).isEqualTo(reason);
            assertThat(verdict.condition().message()).contains(message);
        });
        assertThat(scene.next()).isNotInstanceOf(Operation.Remediate.class);
    }
}
