package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import io.capoa.lint.manifest.Finding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Nodes that the pods run on, and their priority there. */
final class PlacementRules {

    static final List<WorkloadRule> ALL = List.of(
            PlacementRules::roleWithoutValue,
            PlacementRules::controlPlane,
            PlacementRules::everyNode,
            PlacementRules::spread,
            PlacementRules::priority);

    static final String MASTER = "node-role.kubernetes.io/master";
    private static final List<String> ROLES = List.of(MASTER, "node-role.kubernetes.io/control-plane");
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final Set<String> PRIORITIES = Set.of("system-cluster-critical", "system-node-critical");

    private PlacementRules() {}

    /** Whether node selector or required affinity name the control plane. */
    static boolean isBoundToControlPlane(Workload workload) {
        return ROLES.stream().anyMatch(selector(workload)::containsKey)
                || workload
                        .podList(
                                "affinity",
                                "nodeAffinity",
                                "requiredDuringSchedulingIgnoredDuringExecution",
                                "nodeSelectorTerms")
                        .stream()
                        .flatMap(term -> Fields.list(term, "matchExpressions").stream())
                        .anyMatch(expression -> ROLES.contains(Fields.text(expression, "key")));
    }

    private static Stream<Finding> roleWithoutValue(Workload workload, LintContext context) {
        return ROLES.stream()
                .filter(role -> !Fields.text(selector(workload), role).isEmpty())
                .flatMap(role -> workload.blocking(
                        workload.path("nodeSelector"),
                        "the label " + role + " is selected with a value",
                        "but OpenShift's nodes have it without one, so that no node is selected",
                        "write " + role + ": \"\""));
    }

    private static Stream<Finding> controlPlane(Workload workload, LintContext context) {
        return workload.warningIf(
                !workload.isNodeManager() && !isBoundToControlPlane(workload),
                workload.path("nodeSelector"),
                "control plane nodes are not selected",
                "and workers may join late or not at all, and should have no access to the cloud's API",
                "write " + MASTER + ": \"\"");
    }

    private static Stream<Finding> everyNode(Workload workload, LintContext context) {
        return workload.warningIf(
                workload.isNodeManager() && isBoundToControlPlane(workload),
                workload.path("nodeSelector"),
                "the cloud node manager runs on control plane nodes alone",
                "and the Nodes of workers stay uninitialized",
                "select kubernetes.io/os: linux instead");
    }

    private static Stream<Finding> spread(Workload workload, LintContext context) {
        boolean spread = !workload.isKind("Deployment")
                || workload.replicas() < 2
                || context.singleNode()
                || !IdentityRules.selectsItsPods(workload);
        List<?> terms = spread ? List.of() : antiAffinity(workload);
        return workload.warningIf(
                !spread && terms.stream().noneMatch(term -> PodSelector.selectsOwnPods(workload, term)),
                workload.path("affinity.podAntiAffinity"),
                terms.isEmpty()
                        ? "replicas may run on the same node"
                        : "no required term selects the workload's own pods, so replicas may run on the same node",
                "where they fail together, or the second fails to bind the ports of the first",
                "require anti-affinity to pods of the same labels with topologyKey " + HOSTNAME);
    }

    private static Stream<Finding> priority(Workload workload, LintContext context) {
        return workload.warningIf(
                !PRIORITIES.contains(workload.podText("priorityClassName")),
                workload.path("priorityClassName"),
                "the pods have no critical priority",
                "and may be evicted in favour of workloads that depend on them",
                "write " + (workload.isNodeManager() ? "system-node-critical" : "system-cluster-critical"));
    }

    private static Map<?, ?> selector(Workload workload) {
        return Fields.map(workload.pod("nodeSelector"));
    }

    /** Terms that keep pods off the same node. */
    private static List<?> antiAffinity(Workload workload) {
        return workload
                .podList("affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
                .stream()
                .filter(term -> HOSTNAME.equals(Fields.any(term, "topologyKey")))
                .toList();
    }
}
