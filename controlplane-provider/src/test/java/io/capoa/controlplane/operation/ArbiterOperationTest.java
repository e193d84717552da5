package io.capoa.controlplane.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Arbiters;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.operation.OperationScene.Host;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A control plane of two hosts and an arbiter keeps its roles, whatever is replaced. */
class ArbiterOperationTest {

    private static final String ARBITER = "arbiter: {replicas: 1}";

    private final OperationScene scene = new OperationScene(3);

    @BeforeEach
    void theThirdHostIsTheArbiter() {
        scene.settings = ARBITER;
        arbiter(scene.host(2));
    }

    @Test
    void atFirst_allAreCreatedTogether_oneAsArbiter() {
        scene.hosts.clear();
        scene.stage = Stage.BEFORE;
        assertThat(scene.next()).isEqualTo(new Operation.Grow(new Action.Create(3, 1)));
        arbiter(scene.add());
        assertThat(scene.next()).isEqualTo(new Operation.Grow(new Action.Create(2, 0)));
    }

    @Test
    void aDeletedArbiter_isReplacedByAnArbiter_aDeletedHostByAHost() {
        scene.host(2).deleting = true;
        assertThat(scene.next()).isEqualTo(new Operation.Removal(new Action.Create(1, 1)));
        scene.host(2).deleting = false;
        scene.host(0).deleting = true;
        assertThat(scene.next()).isEqualTo(new Operation.Removal(new Action.Create(1, 0)));
    }

    @Test
    void aRollout_replacesEachByOneOfItsRole() {
        scene.settings = ARBITER + "\n  rollout: {strategy: {type: RollingUpdate}}";
        scene.hosts.forEach(host -> host.outdated = true);
        for (int turn = 0; turn < 3; turn++) {
            Action.Create created = (Action.Create) scene.next().action();
            Host joining = scene.create(created);
            joining.joined = true;
            joining.member = true;
            Action.Delete deleted = (Action.Delete) scene.next().action();
            assertThat(Arbiters.is(deleted.machine())).isEqualTo(created.arbiters() == 1);
            scene.hosts.removeIf(
                    host -> host.name.equals(deleted.machine().getMetadata().getName()));
        }
        assertThat(scene.next()).isEqualTo(new Operation.None());
        assertThat(scene.hosts)
                .filteredOn(host -> Arbiters.is(OperationScene.machine(host)))
                .hasSize(1);
    }

    @Test
    void aHostThatIsMarkedWhileAnArbiterIsReplaced_waitsForTheArbiter() {
        scene.settings = ARBITER + "\n  rollout: {strategy: {type: RollingUpdate}}";
        scene.host(2).outdated = true;
        Host joining = scene.create((Action.Create) scene.next().action());
        joining.joined = true;
        joining.member = true;
        scene.host(0).annotations.put(Annotations.DELETE_MACHINE, "");
        assertThat(scene.next())
                .isEqualTo(new Operation.RollOut(new Action.Delete(OperationScene.machine(scene.host(2)))));
    }

    @Test
    void anOutdatedHost_whileAnArbiterIsTooManyAndAHostMissing_isReplacedByAHost() {
        scene.settings = ARBITER + "\n  rollout: {strategy: {type: RollingUpdate}}";
        arbiter(scene.host(1));
        scene.host(0).outdated = true;
        assertThat(scene.next()).isEqualTo(new Operation.RollOut(new Action.Create(1, 0)));
    }

    @Test
    void ofTooManyMachines_oneOfTheSurplusRoleGoes() {
        Host second = scene.add();
        arbiter(second);
        scene.host(2).annotations.put(Annotations.DELETE_MACHINE, "");
        assertThat(scene.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(scene.host(2))));
        second.annotations.clear();
        scene.host(2).annotations.remove(Annotations.DELETE_MACHINE);
        assertThat(scene.next().action()).isEqualTo(new Action.Delete(OperationScene.machine(scene.host(0))));
    }

    private static void arbiter(Host host) {
        host.annotations.put(Annotations.BMAC_ROLE, Arbiters.ROLE);
    }
}
