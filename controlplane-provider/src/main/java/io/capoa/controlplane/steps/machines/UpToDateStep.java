package io.capoa.controlplane.steps.machines;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes condition UpToDate of each Machine (control plane contract, "UpToDate"). */
public final class UpToDateStep {

    private final MachineConditionWriter conditions;
    private final Clock clock;

    public UpToDateStep(MachineConditionWriter conditions, Clock clock) {
        this.conditions = conditions;
        this.clock = clock;
    }

    /**
     * Returns whether a condition was written.
     *
     * @param upgrade {@code null} before the installation is complete
     */
    public boolean apply(ControlPlaneObservation observation, @Nullable UpgradeOutcome upgrade) {
        Optional<String> outdated = UpgradeOutcome.outdated(observation.controlPlane(), upgrade);
        boolean unanswered = upgrade != null && upgrade.runs().isEmpty();
        boolean written = false;
        SortedMap<String, List<String>> differences = observation.differences(clock.instant());
        for (Machine machine : observation.machines().staying()) {
            List<String> own = differences.getOrDefault(machine.getMetadata().getName(), List.of());
            ConditionView reported = MachineView.of(machine)
                    .condition(ControlPlaneMachineConditions.UP_TO_DATE)
                    .orElse(null);
            written |= conditions.write(machine, condition(own, outdated, unanswered, reported));
        }
        return written;
    }

    /**
     * The condition of a Machine.
     *
     * @param outdated why no Machine is up to date; as the control plane's status has it while the cluster does not answer
     * @param unanswered whether the cluster does not say which release it runs: what the Machine says stays then, because
     *     the status of the control plane may be held back and older
     * @param reported the Machine's condition; {@code null} if it has none
     */
    static ConditionView condition(
            List<String> differences, Optional<String> outdated, boolean unanswered, @Nullable ConditionView reported) {
        if (differences.isEmpty() && unanswered && reported != null) {
            return reported;
        }
        List<String> all = new ArrayList<>(differences);
        outdated.ifPresent(all::add);
        return all.isEmpty()
                ? new ConditionView(
                        ControlPlaneMachineConditions.UP_TO_DATE,
                        Condition.TRUE,
                        ControlPlaneMachineConditions.UP_TO_DATE,
                        "")
                : new ConditionView(
                        ControlPlaneMachineConditions.UP_TO_DATE,
                        Condition.FALSE,
                        ControlPlaneMachineConditions.NOT_UP_TO_DATE,
                        all.stream().map(difference -> "* " + difference).collect(Collectors.joining("\n")));
    }
}
