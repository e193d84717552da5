package io.capoa.controlplane.steps.health;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.steps.machines.WorkloadClusterQueries;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.health.ControlPlaneHealth;
import io.capoa.controlplane.workload.health.ControlPlaneHealth.Loss;
import io.capoa.controlplane.workload.health.HealthJudgement;
import io.capoa.controlplane.workload.health.HealthRounds;
import io.capoa.runtime.status.ReportedConditions;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks an installed cluster for its health, and remembers since when it cannot be used. After a restart of the provider
 * the conditions say since when.
 */
public final class HealthStep {

    /** An outage that no query has seen for this long, as while the control plane was paused, is another one. */
    private static final Duration UNSEEN = Duration.ofMinutes(2);

    private static final String COMPONENTS = ControlPlaneConditions.CONTROL_PLANE_COMPONENTS_HEALTHY;

    /** Conditions that are Unknown, or False, during an outage. */
    private static final List<String> WITNESSES = List.of(ControlPlaneConditions.AVAILABLE, COMPONENTS);

    private record Outage(Instant since, Instant seen) {}

    private final Map<ResourceID, Outage> outages = new ConcurrentHashMap<>();
    private final Map<ResourceID, HealthRounds> rounds = new ConcurrentHashMap<>();

    /** Returns {@link HealthJudgement#NONE} before the installation is complete. */
    public HealthJudgement apply(ControlPlaneObservation observation, WorkloadClusterQueries queries) {
        if (!observation.installed()) {
            return HealthJudgement.NONE;
        }
        HealthRounds own = rounds.computeIfAbsent(
                ResourceID.fromResource(observation.controlPlane()), id -> new HealthRounds(wasWell(observation)));
        return judge(
                observation,
                queries.health(
                        own, machines(observation), !reported(observation).isTrue(COMPONENTS)));
    }

    /** Names of the Machines, and whether each is Ready: Cluster API watches their Nodes. */
    private static Map<String, Boolean> machines(ControlPlaneObservation observation) {
        return observation.machines().stream()
                .collect(Collectors.toMap(
                        machine -> machine.getMetadata().getName(),
                        machine -> MachineView.of(machine).isReady()));
    }

    /** Drops what is remembered of a control plane. */
    public void forget(ResourceID controlPlane) {
        outages.remove(controlPlane);
        rounds.remove(controlPlane);
    }

    HealthJudgement judge(ControlPlaneObservation observation, @Nullable Observed<ControlPlaneHealth> seen) {
        ResourceID id = ResourceID.fromResource(observation.controlPlane());
        if (seen == null) {
            return HealthJudgement.NONE;
        }
        if (seen.value().loss() == Loss.NONE) {
            outages.remove(id);
            return new HealthJudgement(seen, null);
        }
        Outage known = outages.get(id);
        Instant since = known != null && !known.seen.plus(UNSEEN).isBefore(seen.at())
                ? known.since
                : recorded(observation).filter(seen.at()::isAfter).orElse(seen.at());
        outages.put(id, new Outage(since, seen.at()));
        return new HealthJudgement(seen, since);
    }

    /** Since when the conditions have said that the cluster cannot be used. */
    private static Optional<Instant> recorded(ControlPlaneObservation observation) {
        return WITNESSES.stream()
                .flatMap(type -> reported(observation).get(type).stream())
                .filter(HealthStep::isOutage)
                .map(condition -> Instant.parse(condition.lastTransitionTime()))
                .min(Comparator.naturalOrder());
    }

    /** Then a provider that has just started takes its time, and does not ask at once together with all other clusters. */
    static boolean wasWell(ControlPlaneObservation observation) {
        return reported(observation).isTrue(COMPONENTS)
                && reported(observation).isTrue(ControlPlaneConditions.ETCD_CLUSTER_HEALTHY)
                && !machines(observation).containsValue(false);
    }

    private static ReportedConditions reported(ControlPlaneObservation observation) {
        return ReportedConditions.in(observation.controlPlane().getStatus());
    }

    private static boolean isOutage(Condition condition) {
        return HealthJudgement.OUTAGES.contains(condition.reason());
    }
}
