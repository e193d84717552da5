package io.capoa.lint.rules;

import static io.capoa.lint.rules.WorkloadRule.blocking;
import static io.capoa.lint.rules.WorkloadRule.warning;

import io.capoa.api.contract.Fields;
import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.Workload;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Nodes that the pods run on, and their priority there. */
final class PlacementRules {

    static final List<WorkloadRule> ALL = List.of(
            PlacementRules::roleWithoutValue,
            PlacementRules::controlPlane,
            PlacementRules::everyNode,
            PlacementRules::spread,
            PlacementRules::priority);

    static final String MASTER = "node-role.kubernetes.io/master";
    private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final Set<String> PRIORITIES = Set.of("system-cluster-critical", "system-node-critical");

    private PlacementRules() {}

    /** Whether node selector or required affinity name the control plane. */
    static boolean isBoundToControlPlane(Workload workload) {
        return selector(workload).containsKey(MASTER)
                || selector(workload).containsKey(CONTROL_PLANE)
                || terms(workload)
                        .flatMap(term -> list(term, "matchExpressions"))
                        .map(expression -> Fields.any(expression, "key"))
                        .anyMatch(key -> MASTER.equals(key) || CONTROL_PLANE.equals(key));
    }

    private static Stream<Finding> roleWithoutValue(Workload workload, LintContext context) {
        return Stream.of(MASTER, CONTROL_PLANE)
                .filter(role -> selector(workload).containsKey(role))
                .filter(role -> !Fields.text(selector(workload), role).isEmpty())
                .flatMap(role -> blocking(
                        workload,
                        workload.path("nodeSelector"),
                        "the label " + role + " is selected with a value",
                        "but OpenShift's nodes have it without one, so that no node is selected",
                        "write " + role + ": \"\""));
    }

    private static Stream<Finding> controlPlane(Workload workload, LintContext context) {
        return workload.isNodeManager() || isBoundToControlPlane(workload)
                ? Stream.empty()
                : warning(
                        workload,
                        workload.path("nodeSelector"),
                        "control plane nodes are not selected",
                        "and workers may join late or not at all, and should have no access to the cloud's API",
                        "write " + MASTER + ": \"\"");
    }

    private static Stream<Finding> everyNode(Workload workload, LintContext context) {
        return workload.isNodeManager() && isBoundToControlPlane(workload)
                ? warning(
                        workload,
                        workload.path("nodeSelector"),
                        "the cloud node manager runs on control plane nodes alone",
                        "and the Nodes of workers stay uninitialized",
                        "select kubernetes.io/os: linux instead")
                : Stream.empty();
    }

    private static Stream<Finding> spread(Workload workload, LintContext context) {
        boolean spread = !workload.isKind("Deployment")
                || workload.replicas() < 2
                || context.singleNode()
                || !IdentityRules.selectsItsPods(workload);
        List<?> terms = spread ? List.of() : antiAffinity(workload);
        return spread || terms.stream().anyMatch(term -> PodSelector.selectsOwnPods(workload, term))
                ? Stream.empty()
                : warning(
                        workload,
                        workload.path("affinity.podAntiAffinity"),
                        terms.isEmpty()
                                ? "replicas may run on the same node"
                                : "no required term selects the workload's own pods, so replicas may run on the same node",
                        "where they fail together, or the second fails to bind the ports of the first",
                        "require anti-affinity to pods of the same labels with topologyKey " + HOSTNAME);
    }

    private static Stream<Finding> priority(Workload workload, LintContext context) {
        return PRIORITIES.contains(workload.podText("priorityClassName"))
                ? Stream.empty()
                : warning(
                        workload,
                        workload.path("priorityClassName"),
                        "the pods have no critical priority",
                        "and may be evicted in favour of workloads that depend on them",
                        "write " + (workload.isNodeManager() ? "system-node-critical" : "system-cluster-critical"));
    }

    private static Map<?, ?> selector(Workload workload) {
        return workload.pod("nodeSelector") instanceof Map<?, ?> map ? map : Map.of();
    }

    private static Stream<?> terms(Workload workload) {
        return list(
                workload.pod("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"),
                "nodeSelectorTerms");
    }

    /** Terms that keep pods off the same node. */
    private static List<?> antiAffinity(Workload workload) {
        return workload
                .podList("affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
                .stream()
                .filter(term -> HOSTNAME.equals(Fields.any(term, "topologyKey")))
                .toList();
    }

    private static Stream<?> list(@Nullable Object root, String field) {
        return Fields.any(root, field) instanceof List<?> list ? list.stream() : Stream.empty();
    }
}
