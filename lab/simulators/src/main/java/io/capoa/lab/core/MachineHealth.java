package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges a Machine by the checks of a MachineHealthCheck, in Cluster API's order. */
final class MachineHealth {

    private static final int NODE_STARTUP_SECONDS = 600;

    /**
     * The result of the checks.
     *
     * @param reason of condition HealthCheckSucceeded; empty if healthy
     * @param again time until a check that still waits fails; empty if none waits
     */
    record Verdict(String reason, String message, Optional<Duration> again) {

        boolean isHealthy() {
            return reason.isEmpty();
        }

        private static Verdict unhealthy(String reason, String message) {
            return new Verdict(reason, message, Optional.empty());
        }
    }

    /** A condition of Machine or Node. */
    private record Observed(String type, String status, Instant since) {}

    private final MachineHealthCheck check;
    private final Cluster cluster;
    private final Instant now;

    MachineHealth(MachineHealthCheck check, Cluster cluster, Instant now) {
        this.check = check;
        this.cluster = cluster;
        this.now = now;
    }

    /** @param node the Machine's Node; empty if it has none, or if the Node has been deleted */
    Verdict of(Machine machine, Optional<Node> node) {
        if (Contract.hasAnnotation(machine, Contract.REMEDIATE_MACHINE)) {
            return Verdict.unhealthy(
                    "HasRemediateAnnotation",
                    "Health check failed: marked for remediation via %s annotation"
                            .formatted(Contract.REMEDIATE_MACHINE));
        }
        boolean initialized = Fields.isTrue(cluster, "status", "initialization", "controlPlaneInitialized");
        if (!Fields.isTrue(cluster, "status", "initialization", "infrastructureProvisioned")
                || (!initialized && !Contract.isControlPlaneMachine(machine))) {
            return new Verdict("", "", Optional.empty());
        }
        Verdict conditions = conditions(
                "unhealthyMachineConditions",
                "UnhealthyMachine",
                "Machine",
                observed(machine).toList());
        if (!conditions.isHealthy()) {
            return conditions;
        }
        Verdict ofNode = node(machine, node);
        return ofNode.isHealthy() ? new Verdict("", "", earliest(conditions.again(), ofNode.again())) : ofNode;
    }

    private Verdict node(Machine machine, Optional<Node> node) {
        String name = Fields.string(machine, "status", "nodeRef", "name");
        if (node.isPresent()) {
            return conditions("unhealthyNodeConditions", "UnhealthyNode", "Node", observed(node.get()));
        }
        if (name != null) {
            return Verdict.unhealthy("NodeDeleted", "Health check failed: Node " + name + " has been deleted");
        }
        int seconds = Objects.requireNonNullElse(
                Fields.integer(check, "spec", "checks", "nodeStartupTimeoutSeconds"), NODE_STARTUP_SECONDS);
        if (seconds == 0) {
            return new Verdict("", "", Optional.empty());
        }
        Duration left = Duration.between(now, startup(machine).plusSeconds(seconds));
        return left.isPositive()
                ? new Verdict("", "", Optional.of(left))
                : Verdict.unhealthy(
                        "NodeStartupTimeout",
                        "Health check failed: Node failed to report startup in " + Duration.ofSeconds(seconds));
    }

    /** The latest of the Machine's creation, the cluster's infrastructure and the control plane's initialization. */
    private Instant startup(Machine machine) {
        return Stream.concat(
                        Stream.of(Instant.parse(machine.getMetadata().getCreationTimestamp())),
                        observed(cluster)
                                .filter(c -> List.of("InfrastructureReady", "ControlPlaneInitialized")
                                                .contains(c.type())
                                        && c.status().equals("True"))
                                .map(Observed::since))
                .max(Instant::compareTo)
                .orElse(now);
    }

    private Verdict conditions(String field, String reason, String kind, List<Observed> observed) {
        List<String> failed = new ArrayList<>();
        Optional<Duration> again = Optional.empty();
        for (Object entry : Fields.list(check, "spec", "checks", field)) {
            Map<?, ?> unhealthy = entry instanceof Map<?, ?> map ? map : Map.of();
            Duration timeout =
                    Duration.ofSeconds(unhealthy.get("timeoutSeconds") instanceof Number n ? n.longValue() : 0);
            Observed found = find(observed, unhealthy);
            Duration left =
                    found == null ? null : Duration.between(now, found.since().plus(timeout));
            if (found != null && left != null && !left.isPositive()) {
                failed.add("Condition %s on %s is reporting status %s for more than %s"
                        .formatted(found.type(), kind, found.status(), timeout));
            } else {
                again = earliest(again, Optional.ofNullable(left));
            }
        }
        return failed.isEmpty()
                ? new Verdict("", "", again)
                : Verdict.unhealthy(reason, "Health check failed:\n  * " + String.join("\n  * ", failed));
    }

    private static @Nullable Observed find(List<Observed> observed, Map<?, ?> unhealthy) {
        return observed.stream()
                .filter(c ->
                        c.type().equals(unhealthy.get("type")) && c.status().equals(unhealthy.get("status")))
                .findFirst()
                .orElse(null);
    }

    private static Stream<Observed> observed(GenericKubernetesResource resource) {
        return Fields.list(resource, "status", "conditions").stream()
                .map(c -> new Observed(
                        Fields.text(c, "type"),
                        Fields.text(c, "status"),
                        Instant.parse(Fields.text(c, "lastTransitionTime"))));
    }

    /** A Node's conditions; one without a transition time counts from the Node's creation. */
    private static List<Observed> observed(Node node) {
        List<NodeCondition> conditions =
                node.getStatus() == null ? List.of() : node.getStatus().getConditions();
        String created = node.getMetadata().getCreationTimestamp();
        return conditions.stream()
                .map(c -> new Observed(
                        c.getType(),
                        c.getStatus(),
                        Instant.parse(Objects.requireNonNullElse(c.getLastTransitionTime(), created))))
                .toList();
    }

    static Optional<Duration> earliest(Optional<Duration> one, Optional<Duration> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Duration::compareTo);
    }
}
