package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.InPlace;
import io.capoa.controlplane.machines.MissingMachines;
import io.capoa.controlplane.observe.ConfigReads;
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
import io.capoa.runtime.status.ReportedConditions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An update of a config that does not wake its control plane must not change what is decided for it, nor reported. */
class UnreadConfigsTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T03:00:00Z"), ZoneOffset.UTC);
    private static final String NAME = "cp-0";

    private static final List<String> OWNERS = List.of(
            "",
            "{kind: OpenshiftAssistedControlPlane, name: cp, uid: 11111111-2222-3333-4444-555555555555}",
            "{kind: Machine, name: cp-0, uid: u-0}",
            "{kind: OpenshiftAssistedControlPlane, name: cp, uid: 11111111-2222-3333-4444-555555555555}, {kind: Machine, name: cp-0, uid: u-0}",
            "{kind: OpenshiftAssistedControlPlane, name: cp, uid: other}, {kind: Machine, name: cp-0, uid: other}");

    private static final List<String> CONDITIONS = List.of(
            "",
            "{type: AgentRegistered, status: 'True', reason: AgentRegistered, message: Agent a1}",
            "{type: AgentRegistered, status: 'True', reason: AgentRegistered, message: Agent a1, lastTransitionTime: '2026-01-01T00:00:00Z'}",
            "{type: InfraEnvReady, status: 'False', reason: ImageCreationFailed, message: no image}",
            "{type: Ready, status: 'False', reason: WrongHost, message: wrong}",
            "{type: AgentApproved, status: 'True', reason: DuplicateAgent, message: two}",
            "{type: Installed, status: 'False', reason: InstallationFailed, message: disk}",
            "{type: HostPoweredOff, status: 'True', reason: HostPoweredOff, message: ''}");

    private static final List<String> STATES =
            List.of("", "insufficient", "ready", "installing", "error", "adding-hosts");

    private final ControlPlaneIdentity identity = Objects.identity();
    private int dropped;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anUpdateThatIsNotRead_changesNothing(boolean hasMachine) {
        for (String state : STATES) {
            AgentClusterInstall install = state.isEmpty() ? null : install(state);
            Map<ConfigReads, Map<String, Object>> decided = new HashMap<>();
            for (OpenshiftAssistedConfig config : configs()) {
                Map<String, Object> now = decided(config, hasMachine, install);
                Map<String, Object> before = decided.putIfAbsent(reads(config, hasMachine, install), now);
                if (before != null) {
                    dropped++;
                    assertThat(now).as("%s in state %s", config, state).isEqualTo(before);
                }
            }
        }
        assertThat(dropped).isGreaterThan(STATES.size());
    }

    @Test
    void clusterApisOwnerReference_isReadWhereItDecides() {
        OpenshiftAssistedConfig before = config(OWNERS.get(1), "");
        OpenshiftAssistedConfig after = config(OWNERS.get(2), "");

        assertThat(reads(after, true, null))
                .as("it takes the place of the control plane's")
                .isEqualTo(reads(before, true, null));
        assertThat(reads(after, false, null)).isNotEqualTo(reads(before, false, null));
    }

    @Test
    void aHostThatRegisters_isReadUntilTheInstallationStarts() {
        OpenshiftAssistedConfig before = config("", "");
        OpenshiftAssistedConfig after = config("", CONDITIONS.get(1));

        assertThat(reads(after, true, install("ready"))).isNotEqualTo(reads(before, true, install("ready")));
        assertThat(reads(after, true, install("installing"))).isEqualTo(reads(before, true, install("installing")));
    }

    @Test
    void theDeletionOfTheControlPlane_readsWhoseConfigsThereAre() {
        identity.controlPlane().getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");

        assertThat(reads(config(OWNERS.get(2), ""), true, null)).isNotEqualTo(reads(config("", ""), true, null));
    }

    private static List<OpenshiftAssistedConfig> configs() {
        List<OpenshiftAssistedConfig> configs = new ArrayList<>();
        OWNERS.forEach(owners -> CONDITIONS.forEach(conditions -> configs.add(config(owners, conditions))));
        return configs;
    }

    private static OpenshiftAssistedConfig config(String owners, String conditions) {
        return Objects.read(OpenshiftAssistedConfig.class, """
                metadata: {name: %s, uid: c0, ownerReferences: [%s]}
                status: {conditions: [%s]}
                """.formatted(NAME, owners, conditions));
    }

    private static AgentClusterInstall install(String state) {
        return Objects.read(
                AgentClusterInstall.class, "metadata: {name: cp}\nstatus: {debugInfo: {state: %s}}".formatted(state));
    }

    private ConfigReads reads(
            OpenshiftAssistedConfig config, boolean hasMachine, @Nullable AgentClusterInstall install) {
        return ConfigReads.of(
                identity.controlPlane(),
                config,
                hasMachine ? machine() : null,
                InstallState.of(install).started());
    }

    private static Machine machine() {
        return Objects.read(Machine.class, "metadata: {name: %s, uid: u-0}".formatted(NAME));
    }

    private Map<String, Object> decided(
            OpenshiftAssistedConfig config, boolean hasMachine, @Nullable AgentClusterInstall install) {
        Machine machine = machine();
        List<Machine> machines = hasMachine ? List.of(machine) : List.of();
        List<OpenshiftAssistedConfig> configs = List.of(config);
        ControlPlaneObservation observation =
                ControlPlaneObservations.of(identity, null, install, null, machines, configs);
        return Map.of(
                "conditions", conditions(observation),
                "machines",
                        MissingMachines.of(
                                identity,
                                Objects.read(Cluster.class, "metadata: {name: one}"),
                                new Action.Create(2, 0),
                                machines,
                                configs,
                                observation.installed()),
                "in place", hasMachine && InPlace.isPart(identity, machine, config),
                "differences", observation.differences(CLOCK.instant()),
                "off",
                        ReportedConditions.in(config.getStatus())
                                .get(ConfigConditions.HOST_POWERED_OFF)
                                .map(off -> List.of(off.status(), off.message())));
    }

    private List<List<String>> conditions(ControlPlaneObservation observation) {
        Conditions conditions = Conditions.of(identity.controlPlane(), null, CLOCK);
        StepResults results = new StepResults(
                observation,
                PlanStep.Planned.NONE,
                new ReleaseState.Unavailable(new Blocker("R", "")),
                new InstallStep.Progress.Applied(List.of()),
                new StepResults.Machines(
                        new OperationStep.Outcome(
                                new Operation.None(), new MachineStep.Creation.Complete(), null, false),
                        false),
                new KubeconfigStep.Access.NotYet(),
                new StepResults.Answers(false, null, null, HealthJudgement.NONE, Optional.empty()),
                Verdict.PASSING);
        InstallConditions.set(conditions, results, false);
        return conditions.toList().stream()
                .map(c -> List.of(c.type(), c.status(), c.reason(), c.message()))
                .toList();
    }
}
