package io.capoa.controlplane.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
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

/** Which surplus Machine is deleted, and when none may be. */
class ScaleDownTest {

    private static final EtcdHealth GOOD = new EtcdHealth(true, true, false, false, 4, "");
    private static final EtcdHealth DEGRADED = new EtcdHealth(true, true, true, false, 4, "1 members are unhealthy");

    private final Machine a1 = machine("a1", "a", 1);
    private final Machine a2 = machine("a2", "a", 2);
    private final Machine b1 = machine("b1", "b", 0);
    private final Machine c1 = machine("c1", "c", 3);
    private final Machines four = Machines.of(a1, a2, b1, c1);

    @Test
    void theOldestInTheFullestDomain_isDeleted() {
        assertThat(decide(3, four, Stage.AFTER, GOOD)).isEqualTo(new Action.Delete(a1));
    }

    @Test
    void aMarkedMachine_isDeletedFirst_thenOneThatIsNotReady() {
        c1.getMetadata().setAnnotations(Map.of(Annotations.DELETE_MACHINE, ""));
        unready(b1);
        assertThat(ScaleDown.choose(four)).isSameAs(c1);
        c1.getMetadata().setAnnotations(Map.of());
        assertThat(ScaleDown.choose(four)).isSameAs(b1);
    }

    @Test
    void absentReplicas_deleteNothing() {
        assertThat(decide(null, four, Stage.AFTER, GOOD)).isEqualTo(new Action.Nothing());
        assertThat(decide(null, four, Stage.BEFORE, null)).isEqualTo(new Action.Nothing());
    }

    @Test
    void whileAMachineIsBeingDeleted_noOtherIs() {
        a1.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(decide(1, four, Stage.AFTER, GOOD)).isInstanceOf(Action.Defer.class);
        assertThat(decide(3, four, Stage.AFTER, GOOD)).isEqualTo(new Action.Nothing());
    }

    @Test
    void whileAnotherMachineIsNotReady_orHasNoNode_noneIsDeleted() {
        unready(c1);
        a1.getMetadata().setAnnotations(Map.of(Annotations.DELETE_MACHINE, ""));
        assertThat(decide(3, four, Stage.AFTER, GOOD))
                .isInstanceOfSatisfying(
                        Action.Defer.class, wait -> assertThat(wait.message()).contains("c1"));
        c1.setAdditionalProperty("status", Map.of());
        assertThat(decide(3, four, Stage.AFTER, GOOD))
                .isInstanceOfSatisfying(
                        Action.Defer.class, wait -> assertThat(wait.message()).contains("no node"));
    }

    @Test
    void etcdIsAsked_andADegradedOneKeepsItsHealthyMembers() {
        assertThat(decide(3, four, Stage.AFTER, null)).isEqualTo(new Action.Ask());
        assertThat(decide(3, four, Stage.AFTER, DEGRADED)).isInstanceOf(Action.Defer.class);
        unready(a2);
        assertThat(decide(3, four, Stage.AFTER, DEGRADED)).isEqualTo(new Action.Delete(a2));
    }

    @Test
    void whileAMachineIsNotAMemberYet_noOtherIsDeleted() {
        EtcdHealth joining = new EtcdHealth(true, true, false, false, 3, "");
        assertThat(decide(3, four, Stage.AFTER, joining))
                .isInstanceOfSatisfying(
                        Action.Defer.class, wait -> assertThat(wait.message()).contains("3 members"));
        unready(a2);
        assertThat(decide(3, four, Stage.AFTER, joining)).isEqualTo(new Action.Delete(a2));
    }

    @Test
    void withUnknownMembers_noneIsDeleted_notEvenABrokenOne() {
        EtcdHealth unknown = new EtcdHealth(true, true, true, false, EtcdHealth.UNKNOWN, "no etcd pod is ready");
        unready(a2);
        assertThat(decide(3, four, Stage.AFTER, unknown))
                .isEqualTo(new Action.Defer("the members of etcd are not known: no etcd pod is ready"));
    }

    @Test
    void anInstalledClusterOfSeveralHosts_neverBecomesASingleNode() {
        assertThat(decide(1, four, Stage.AFTER, GOOD))
                .isEqualTo(
                        new Action.Defer(
                                "an installed cluster with 4 hosts cannot become a single node: set spec.replicas to 3, 4 or 5"));
        assertThat(decide(1, four, Stage.BEFORE, null)).isEqualTo(new Action.Delete(a1));
    }

    @Test
    void beforeTheInstallation_machinesAreDeletedFreely_duringItNone() {
        assertThat(decide(3, four, Stage.BEFORE, null)).isEqualTo(new Action.Delete(a1));
        assertThat(decide(3, four, Stage.DURING, null)).isInstanceOf(Action.Defer.class);
    }

    private static Action decide(
            @Nullable Integer replicas, List<Machine> machines, Stage stage, @Nullable EtcdHealth etcd) {
        return ScaleDown.decide(
                OperationScene.resized(replicas, Machines.of(machines), stage), OperationScene.etcd(etcd));
    }

    private static Machine machine(String name, String domain, int age) {
        return Objects.read(Machine.class, """
                metadata: {name: %s, creationTimestamp: "2026-01-0%dT00:00:00Z"}
                spec: {failureDomain: %s}
                status:
                  nodeRef: {name: %s}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name, age + 1, domain, name));
    }

    private static void unready(Machine machine) {
        machine.setAdditionalProperty(
                "status",
                Map.of(
                        "nodeRef", Map.of("name", "x"),
                        "conditions", List.of(Map.of("type", "Ready", "status", "False"))));
    }
}
