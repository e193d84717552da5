package io.capoa.lab.page;

import io.capoa.api.conditions.ConditionedStatus;
import io.capoa.api.contract.Fields;
import io.capoa.lab.page.PageState.ConditionLine;
import io.capoa.lab.page.PageState.TreeLine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The conditions of any object of the tree. */
final class ObjectConditions {

    /** Types that say that something goes on: neither status is bad. */
    private static final Set<String> ACTIVITIES = Set.of(
            "Paused",
            "Deleting",
            "RollingOut",
            "ScalingUp",
            "ScalingDown",
            "Remediating",
            "Updating",
            "HostPoweredOff",
            "OwnerRemediated",
            "UpgradeAvailable");

    /** Reasons of what takes its time, or is wrong elsewhere. */
    private static final Set<String> PATIENCE =
            Set.of("Installing", "DownloadingIgnition", "ClusterInstallationFailed", "InfraEnvNotReady");

    private ObjectConditions() {}

    /** Message of the first condition that is not merely waited for; empty if there is none. */
    static String problem(HasMetadata object) {
        return of(object)
                .filter(condition -> condition.tone().equals("bad")
                        && !condition.type().equals("Ready")
                        && !condition.reason().startsWith("Waiting")
                        && !PATIENCE.contains(condition.reason()))
                .map(condition -> condition.message().isEmpty() ? condition.reason() : condition.message())
                .findFirst()
                .orElse("");
    }

    static TreeLine line(int level, HasMetadata object) {
        return new TreeLine(
                level,
                object.getKind(),
                object.getMetadata().getName(),
                of(object).toList());
    }

    /** When a condition became True; empty unless it is. */
    static Optional<String> trueSince(HasMetadata object, String type) {
        return of(object)
                .filter(condition -> condition.type().equals(type)
                        && condition.status().equals("True")
                        && !condition.since().isEmpty())
                .map(ConditionLine::since)
                .findFirst();
    }

    static Stream<ConditionLine> of(HasMetadata object) {
        if (object instanceof GenericKubernetesResource generic) {
            return Fields.list(generic, "status", "conditions").stream()
                    .filter(Map.class::isInstance)
                    .map(condition -> line(
                            text(condition, "type"),
                            text(condition, "status"),
                            text(condition, "reason"),
                            text(condition, "message"),
                            text(condition, "lastTransitionTime")));
        }
        return object instanceof CustomResource<?, ?> custom
                        && custom.getStatus() instanceof ConditionedStatus status
                        && status.conditions() != null
                ? status.conditions().stream()
                        .map(condition -> line(
                                condition.type(),
                                condition.status(),
                                condition.reason(),
                                condition.message(),
                                condition.lastTransitionTime()))
                : Stream.empty();
    }

    private static ConditionLine line(String type, String status, String reason, String message, String since) {
        String tone = ACTIVITIES.contains(type)
                ? (status.equals("True") ? "neutral" : "good")
                : status.equals("True") ? "good" : "bad";
        return new ConditionLine(type, status, reason, message, since, tone);
    }

    private static String text(Object condition, String field) {
        return Fields.any(condition, field) instanceof String text ? text : "";
    }
}
