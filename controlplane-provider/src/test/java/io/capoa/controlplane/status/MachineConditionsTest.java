package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.operation.Operation;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.controlplane.steps.machines.OperationStep;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.workload.health.HealthJudgement;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.Conditions;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Conditions of the Machines during a rollout of three. */
class MachineConditionsTest {

    private static final String OUTDATED = "spec: {cpuArchitecture: arm64}";

    private final List<Machine> machines = new ArrayList<>();
    private final List<OpenshiftAssistedConfig> configs = new ArrayList<>();
    private Operation operation = new Operation.RollOut(new Action.Nothing());

    @Test
    void whileAReplacementJoins_andWhenItHas_theControlPlaneIsReady() {
        outdatedMachines();
        add("n-0", "", "");
        assertThat(condition("MachinesReady")).isEqualTo("True ");
        ready("n-0", "True");
        assertThat(condition("MachinesReady")).as("four of three").isEqualTo("True ");
        ready("m-0", "False");
        ready("m-1", "False");
        assertThat(condition("MachinesReady"))
                .startsWith("False 2 of 4 machines are ready")
                .contains("Machine m-1");
    }

    @Test
    void aMachineThatIsNotReady_hasTheRemedy_onceItHadANode_andWhileItIsToStay() {
        add("m-0", "True", "");
        add("m-1", "True", "");
        add("m-2", "False", "");
        assertThat(condition("MachinesReady")).doesNotContain("check its host");
        Fields.map(machines.getLast(), "status").put("nodeRef", Map.of("name", "m-2"));
        assertThat(condition("MachinesReady"))
                .startsWith("False 2 of 3 machines")
                .endsWith(": check its host");
        machines.getLast().getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(condition("MachinesReady")).doesNotContain("check its host");
    }

    @Test
    void aRollout_lastsFromTheFirstOutdatedMachineToTheLast() {
        outdatedMachines();
        assertThat(condition("RollingOut")).startsWith("True Rolling out 3 not up-to-date replicas");
        operation = new Operation.Removal(new Action.Nothing());
        assertThat(condition("RollingOut")).startsWith("True Rolling out 3 not up-to-date replicas");
        configs.forEach(config -> config.setSpec(null));
        assertThat(condition("RollingOut")).isEqualTo("False ");
    }

    /** The fourth of three comes first, and one of the outdated goes when it has joined. */
    @Test
    void whileAReplacementJoins_theControlPlaneScalesUp_andDownWhenItHas() {
        outdatedMachines();
        List.of("m-0", "m-1", "m-2").forEach(this::joined);
        add("n-0", "", "");
        assertThat(condition("ScalingUp"))
                .startsWith("True Scaling up to 4 replicas, to replace one that is not up to date");
        assertThat(condition("ScalingDown")).isEqualTo("False ");
        joined("n-0");
        assertThat(condition("ScalingUp")).isEqualTo("False ");
        assertThat(condition("ScalingDown")).startsWith("True Scaling down from 4 to 3 replicas");
    }

    @Test
    void anUnhealthyMachine_isBeingRemediated_onceSomethingHappens() {
        outdatedMachines();
        assertThat(condition("Remediating")).isEqualTo("False ");
        unhealthy("m-1", "RemediationDeferred", "etcd is asked first");
        assertThat(condition("Remediating")).isEqualTo("False Machine m-1: etcd is asked first");
        unhealthy("m-1", "CannotBeRemediated", "repair the host");
        assertThat(condition("Remediating")).isEqualTo("False Machine m-1: repair the host");
        unhealthy("m-1", "MachineDeleting", "it is being deleted");
        machines.get(1).getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(condition("Remediating")).isEqualTo("True Machine m-1: it is being deleted");
    }

    private void unhealthy(String name, String reason, String message) {
        machines.stream()
                .filter(machine -> machine.getMetadata().getName().equals(name))
                .forEach(machine -> Fields.map(machine, "status")
                        .put(
                                "conditions",
                                List.of(
                                        Map.of("type", "HealthCheckSucceeded", "status", "False"),
                                        Map.of(
                                                "type",
                                                "OwnerRemediated",
                                                "status",
                                                "False",
                                                "reason",
                                                reason,
                                                "message",
                                                message))));
    }

    private void joined(String name) {
        machines.forEach(machine -> {
            if (machine.getMetadata().getName().equals(name)) {
                machine.setAdditionalProperty("status", Map.of("nodeRef", Map.of("name", name)));
            }
        });
    }

    @Test
    void aMachineWithoutItsConfig_hasTheRemedy_andIsNotRolled() {
        add("m-0", "True", "");
        add("m-1", "True", "");
        add("m-2", "True", "");
        configs.removeLast();
        operation = new Operation.None();
        assertThat(condition("MachinesUpToDate"))
                .startsWith("False * Machine m-2: OpenshiftAssistedConfig m-2 does not exist")
                .endsWith("delete the Machine to have it replaced");
        assertThat(condition("RollingOut")).isEqualTo("False ");
    }

    private void outdatedMachines() {
        add("m-0", "True", OUTDATED);
        add("m-1", "True", OUTDATED);
        add("m-2", "True", OUTDATED);
    }

    private void add(String name, String ready, String spec) {
        machines.add(machine(name, ready));
        configs.add(Objects.read(OpenshiftAssistedConfig.class, "metadata: {name: %s}\n%s".formatted(name, spec)));
    }

    private void ready(String name, String ready) {
        machines.replaceAll(machine -> machine.getMetadata().getName().equals(name) ? machine(name, ready) : machine);
    }

    private static Machine machine(String name, String ready) {
        return Objects.read(
                Machine.class,
                "metadata: {name: %s, uid: u-%s}\nstatus: {conditions: [%s]}"
                        .formatted(
                                name,
                                name,
                                ready.isEmpty() ? "" : "{type: Ready, status: '%s', message: ''}".formatted(ready)));
    }

    private String condition(String type) {
        ControlPlaneIdentity identity =
                Objects.identity("{}", "", "replicas: 3\nrollout: {strategy: {type: RollingUpdate}}");
        identity.controlPlane().setStatus(Objects.status("replicas: 3\ndistributionVersion: 4.20.3"));
        ControlPlaneObservation observation = ControlPlaneObservations.installed(identity, machines, configs);
        Conditions conditions = Conditions.of(identity.controlPlane(), null, Clock.systemUTC());
        StepResults results = new StepResults(
                observation,
                PlanStep.Planned.NONE,
                new ReleaseState.Unavailable(new Blocker("R", "")),
                InstallStep.Progress.Deleting.RETRY,
                new StepResults.Machines(
                        new OperationStep.Outcome(operation, new MachineStep.Creation.Complete(), null, false), false),
                new KubeconfigStep.Access.NotYet(),
                new StepResults.Answers(false, null, null, HealthJudgement.NONE, Optional.empty()),
                Verdict.PASSING);
        MachineConditions.set(conditions, results, MachineCounts.of(observation, Instant.now()));
        Condition found = conditions.get(type).orElseThrow();
        return found.status() + " " + found.message();
    }
}
