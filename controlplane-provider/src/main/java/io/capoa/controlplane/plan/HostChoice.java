package io.capoa.controlplane.plan;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.Fields;
import io.capoa.api.rules.LabelSelection;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirementBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Why Metal3 does not take a host for a Machine (cluster-api-provider-metal3, {@code chooseHost} of {@code
 * baremetal/metal3machine_manager.go}). A host that is being prepared counts as one that is available.
 */
final class HostChoice {

    private static final List<String> RESERVED =
            List.of(Annotations.HOST_PAUSED, Annotations.HOST_UNHEALTHY, Annotations.OLDER_HOST_UNHEALTHY);

    /** Names the control plane or MachineDeployment for whose next Machine the host is kept. */
    private static final String NODE_REUSE = "infrastructure.cluster.x-k8s.io/node-reuse";

    /** States that end in {@code available} without anyone's doing. */
    private static final Set<String> COMING = Set.of(
            "", "available", "ready", "registering", "match profile", "inspecting", "preparing", "deprovisioning");

    private HostChoice() {}

    /** Whether a Machine of the Cluster has taken the host already. */
    static boolean isTaken(InspectedHost host, String cluster) {
        return host.view().consumerName() != null
                && cluster.equals(host.labels().get(Labels.CLUSTER_NAME));
    }

    /**
     * What keeps the host from the pool, as the end of a sentence that begins with the host; empty if nothing does.
     *
     * @param cluster name of the pool's Cluster, whose own hosts are kept
     */
    static Optional<String> obstacle(InspectedHost host, HostPool pool, String cluster) {
        LabelSelector selector = selector(pool);
        if (!LabelSelection.selects(selector, host.labels())) {
            return Optional.of("has not the labels that hostSelector of %s asks for (%s)"
                    .formatted(pool.template(), described(selector)));
        }
        return isTaken(host, cluster) ? Optional.empty() : reservation(host).or(() -> state(host));
    }

    private static Optional<String> reservation(InspectedHost host) {
        String consumer = host.view().consumerName();
        if (consumer != null) {
            return Optional.of("is taken by %s %s/%s"
                    .formatted(host.view().consumerKind(), host.view().consumerNamespace(), consumer));
        }
        if (host.labels().containsKey(NODE_REUSE)) {
            return Optional.of(
                    "is kept for %s by label %s".formatted(host.labels().get(NODE_REUSE), NODE_REUSE));
        }
        return RESERVED.stream()
                .filter(host.annotations()::containsKey)
                .findFirst()
                .map(annotation -> "has annotation " + annotation);
    }

    private static Optional<String> state(InspectedHost host) {
        String error = host.view().errorMessage();
        if (host.view().isDeleting()) {
            return Optional.of("is being deleted");
        }
        if (error != null) {
            return Optional.of("has an error: " + error);
        }
        if (host.bmcAddress().isEmpty()) {
            return Optional.of("has no spec.bmc.address, so it never becomes available");
        }
        if (Fields.isTrue(host.object(), "spec", "externallyProvisioned")) {
            return Optional.of("is externally provisioned");
        }
        return COMING.contains(host.state()) ? Optional.empty() : Optional.of("is in state " + host.state());
    }

    private static LabelSelector selector(HostPool pool) {
        Map<String, Object> written = Fields.map(pool.machine(), "spec", "hostSelector");
        LabelSelectorBuilder selector = new LabelSelectorBuilder();
        if (written.get("matchLabels") instanceof Map<?, ?> labels) {
            labels.forEach((key, value) -> selector.addToMatchLabels(String.valueOf(key), String.valueOf(value)));
        }
        if (written.get("matchExpressions") instanceof List<?> expressions) {
            expressions.forEach(expression -> selector.addToMatchExpressions(requirement(expression)));
        }
        return selector.build();
    }

    private static LabelSelectorRequirement requirement(Object expression) {
        // Metal3 takes the operators in any case.
        String operator = switch (Fields.text(expression, "operator").toLowerCase(Locale.ROOT)) {
            case "in", "=", "==" -> "In";
            case "notin", "!=" -> "NotIn";
            case "exists" -> "Exists";
            case "doesnotexist", "!" -> "DoesNotExist";
            default -> "";
        };
        return new LabelSelectorRequirementBuilder()
                .withKey(Fields.text(expression, "key"))
                .withOperator(operator)
                .withValues(Fields.list(expression, "values").stream()
                        .map(String::valueOf)
                        .toList())
                .build();
    }

    private static String described(LabelSelector selector) {
        Stream<String> labels = selector.getMatchLabels() == null
                ? Stream.of()
                : selector.getMatchLabels().entrySet().stream().map(label -> label.getKey() + "=" + label.getValue());
        return Stream.concat(
                        labels.sorted(),
                        selector.getMatchExpressions().stream()
                                .map(one -> one.getKey() + " " + one.getOperator()
                                        + (one.getValues().isEmpty() ? "" : " " + one.getValues())))
                .collect(Collectors.joining(", "));
    }
}
