package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.LabelSelector;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.nodes.WorkloadClusterConnection;
import io.capoa.lab.nodes.WorkloadClusterConnections;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles a MachineHealthCheck: marks unhealthy Machines for their owner, or creates remediation requests. It never
 * replaces a Machine itself.
 */
final class MachineHealthCheckController {

    private static final String SUCCEEDED = "HealthCheckSucceeded";
    private static final String OWNER_REMEDIATED = "OwnerRemediated";
    private static final String EXTERNALLY_REMEDIATED = "ExternallyRemediated";
    private static final String WAITING = "WaitingForRemediation";
    private static final String TEMPLATE_NOT_FOUND = "RemediationTemplateNotFound";

    /** Requeue delay for a template that does not exist, or a cluster without connection. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Caches.Cache<MachineHealthCheck> checks;
    private final Listings listings;
    private final WorkloadClusterConnections workloads;
    private final RemediationRequests requests;
    private final Writes writes;

    MachineHealthCheckController(
            Caches.Cache<MachineHealthCheck> checks,
            Listings listings,
            WorkloadClusterConnections workloads,
            RemediationRequests requests,
            Writes writes) {
        this.checks = checks;
        this.listings = listings;
        this.workloads = workloads;
        this.requests = requests;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        MachineHealthCheck check = checks.get(key);
        Cluster cluster = check == null ? null : listings.clusterOf(check);
        if (check == null || cluster == null || Contract.isDeleting(check)) {
            return null;
        }
        WorkingCopy<MachineHealthCheck> working = new WorkingCopy<>(check);
        if (Paused.show(working, cluster)) {
            working.write(writes);
            return null;
        }
        working.label(Contract.CLUSTER_NAME, cluster.getMetadata().getName());
        working.owner(Contract.owner(cluster));
        Optional<Map<Machine, MachineHealth.Verdict>> verdicts = judge(check, cluster);
        if (verdicts.isEmpty()) {
            return AGAIN;
        }
        String refusal = report(working, verdicts.get());
        working.write(writes);
        Optional<Duration> again = Optional.empty();
        for (Map.Entry<Machine, MachineHealth.Verdict> target : verdicts.get().entrySet()) {
            Optional<Duration> retry = mark(check, target.getKey(), target.getValue(), refusal == null);
            again = MachineHealth.earliest(
                    again, MachineHealth.earliest(retry, target.getValue().again()));
        }
        return again.orElse(null);
    }

    /** All targets with their health; empty while Nodes that have to be known cannot be read. */
    private Optional<Map<Machine, MachineHealth.Verdict>> judge(MachineHealthCheck check, Cluster cluster) {
        LabelSelector selector = LabelSelector.of(Fields.map(check, "spec", "selector"));
        MachineHealth health = new MachineHealth(check, cluster, Instant.now());
        WorkloadClusterConnection workload = workloads.of(Key.of(cluster));
        List<Node> nodes = workload == null ? List.of() : workload.nodes();
        Map<Machine, MachineHealth.Verdict> verdicts = new LinkedHashMap<>();
        for (Machine machine : listings.machinesOf(Key.of(cluster))) {
            if (!selector.matches(machine)
                    || Contract.hasAnnotation(machine, Contract.PAUSED)
                    || Contract.hasAnnotation(machine, Contract.SKIP_REMEDIATION)) {
                continue;
            }
            String name = Fields.string(machine, "status", "nodeRef", "name");
            if (name != null && workload == null) {
                return Optional.empty();
            }
            verdicts.put(machine, health.of(machine, node(nodes, name)));
        }
        return Optional.of(verdicts);
    }

    private static Optional<Node> node(List<Node> nodes, @Nullable String name) {
        return nodes.stream()
                .filter(node -> node.getMetadata().getName().equals(name))
                .findFirst();
    }

    /** Writes the status; returns why Machines must not be remediated, or {@code null}. */
    private static @Nullable String report(
            WorkingCopy<MachineHealthCheck> working, Map<Machine, MachineHealth.Verdict> verdicts) {
        int expected = verdicts.size();
        int healthy = (int) verdicts.values().stream()
                .filter(MachineHealth.Verdict::isHealthy)
                .count();
        RemediationBudget budget = RemediationBudget.of(working.read());
        String refusal = budget.refusal(expected, expected - healthy);
        working.set(working.read().getMetadata().getGeneration().intValue(), "status", "observedGeneration");
        working.set(expected, "status", "expectedMachines");
        working.set(healthy, "status", "currentHealthy");
        working.set(budget.left(expected, expected - healthy), "status", "remediationsAllowed");
        List<String> targets = verdicts.keySet().stream()
                .map(machine -> machine.getMetadata().getName())
                .toList();
        working.set(targets.isEmpty() ? null : targets, "status", "targets");
        working.condition(
                "RemediationAllowed",
                refusal == null ? "True" : "False",
                refusal == null ? "RemediationAllowed" : "TooManyUnhealthy",
                refusal == null ? "" : refusal);
        return refusal;
    }

    /** Writes the Machine's conditions, and its remediation request; the requeue delay if that has to be retried. */
    private Optional<Duration> mark(
            MachineHealthCheck check, Machine machine, MachineHealth.Verdict verdict, boolean allowed) {
        WorkingCopy<Machine> working = new WorkingCopy<>(machine);
        Reference template = RemediationRequests.template(check);
        Optional<Duration> again = Optional.empty();
        if (verdict.isHealthy()) {
            working.condition(SUCCEEDED, "True", SUCCEEDED, "");
            working.withoutCondition(EXTERNALLY_REMEDIATED);
            if (template != null) {
                requests.delete(template, machine);
            }
        } else {
            working.condition(SUCCEEDED, "False", verdict.reason(), verdict.message());
            if (allowed && !Contract.isDeleting(machine)) {
                again = template == null ? own(working) : external(working, template);
            }
        }
        if (!working.statusChange().isEmpty()) {
            working.write(writes);
        }
        return again;
    }

    /** Leaves the Machine to its owner, whose own report is kept. */
    private static Optional<Duration> own(WorkingCopy<Machine> working) {
        if (!working.conditionStatus(OWNER_REMEDIATED).equals("False")) {
            working.condition(OWNER_REMEDIATED, "False", WAITING, "Waiting for remediation");
        }
        return Optional.empty();
    }

    private Optional<Duration> external(WorkingCopy<Machine> working, Reference template) {
        Machine machine = working.read();
        if (!requests.exists(template, machine) && !requests.create(template, machine)) {
            working.condition(
                    EXTERNALLY_REMEDIATED,
                    "False",
                    TEMPLATE_NOT_FOUND,
                    "Cannot retrieve remediation template " + template.kind() + " " + template.name());
            return Optional.of(AGAIN);
        }
        String reported = working.conditionReason(EXTERNALLY_REMEDIATED);
        if (reported.isEmpty() || reported.equals(TEMPLATE_NOT_FOUND)) {
            // Also if an earlier look created the request, and its report met a conflict.
            working.condition(EXTERNALLY_REMEDIATED, "False", WAITING, "Waiting for remediation");
        }
        return Optional.empty();
    }
}
