package io.capoa.controlplane.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How many Machines are created, and when none may be. */
class ScaleUpTest {

    private static final EtcdHealth THREE = new EtcdHealth(true, true, false, false, 3, "");

    private final Machine last = machine("c");
    private final List<Machine> three = List.of(machine("a"), machine("b"), last);

    @Test
    void beforeTheInstallation_allAreCreatedAtOnce_duringItNone() {
        assertThat(decide(3, List.of(), Stage.BEFORE, null)).isEqualTo(new Action.Create(3));
        assertThat(decide(5, three, Stage.BEFORE, null)).isEqualTo(new Action.Create(2));
        assertThat(decide(5, three, Stage.DURING, null)).isInstanceOf(Action.Defer.class);
    }

    @Test
    void anInstalledCluster_isAskedAboutEtcd_andGetsOneAtATime() {
        assertThat(decide(5, three, Stage.AFTER, null)).isEqualTo(new Action.Ask());
        assertThat(decide(5, three, Stage.AFTER, THREE)).isEqualTo(new Action.Create(1));
        List<Machine> four = List.of(three.get(0), three.get(1), last, machine("d"));
        assertThat(decide(5, four, Stage.AFTER, THREE))
                .isInstanceOfSatisfying(
                        Action.Defer.class, wait -> assertThat(wait.message()).contains("3 members", "4 Machines"));
    }

    @Test
    void enoughMachines_orAbsentReplicas_createNothing() {
        assertThat(decide(3, three, Stage.AFTER, null)).isEqualTo(new Action.Nothing());
        assertThat(decide(1, three, Stage.AFTER, null)).isEqualTo(new Action.Nothing());
        assertThat(decide(null, List.of(), Stage.BEFORE, null)).isEqualTo(new Action.Nothing());
    }

    @Test
    void whileAMachineIsDeleted_joins_orIsNotReady_noneIsCreated() {
        last.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        List<Machine> four = List.of(three.get(0), three.get(1), last, machine("d"));
        EtcdHealth all = new EtcdHealth(true, true, false, false, 4, "");
        assertThat(decide(5, four, Stage.AFTER, all)).isEqualTo(new Action.Defer("Machine c is still being deleted"));
        last.getMetadata().setDeletionTimestamp(null);
        last.setAdditionalProperty("status", Map.of());
        assertWaitsFor("no node yet");
        last.setAdditionalProperty("status", Map.of("nodeRef", Map.of("name", "c")));
        assertWaitsFor("not Ready");
    }

    @Test
    void aMachineWhoseRemovalNeedsASuccessor_isNotWaitedFor() {
        last.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        EtcdHealth two = new EtcdHealth(true, true, false, false, 2, "");
        assertThat(decide(3, List.of(three.get(0), last), Stage.AFTER, two)).isEqualTo(new Action.Create(1));
    }

    @Test
    void aProgressingOrUnknownEtcd_getsNoMember_aDegradedOneDoes() {
        EtcdHealth busy = new EtcdHealth(true, true, false, true, 3, "NodeInstaller");
        EtcdHealth degraded = new EtcdHealth(true, true, true, false, 3, "a member is missing");
        EtcdHealth untold = new EtcdHealth(true, true, false, false, EtcdHealth.UNKNOWN, "");
        assertThat(decide(5, three, Stage.AFTER, busy)).isInstanceOf(Action.Defer.class);
        assertThat(decide(5, three, Stage.AFTER, degraded)).isEqualTo(new Action.Create(1));
        assertThat(decide(5, three, Stage.AFTER, untold)).isInstanceOf(Action.Defer.class);
    }

    private static Action decide(
            @Nullable Integer replicas, List<Machine> machines, Stage stage, @Nullable EtcdHealth etcd) {
        return Operation.grow(
                OperationScene.resized(replicas, Machines.of(machines), stage), OperationScene.etcd(etcd));
    }

    private void assertWaitsFor(String what) {
        assertThat(decide(5, three, Stage.AFTER, THREE))
                .isInstanceOfSatisfying(
                        Action.Defer.class,
                        wait -> assertThat(wait.message()).contains("Machine c").contains(what));
    }

    private static Machine machine(String name) {
        return Objects.read(Machine.class, """
                metadata: {name: %1$s, creationTimestamp: "2026-01-01T00:00:00Z"}
                status:
                  nodeRef: {name: %1$s}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name));
    }
}
