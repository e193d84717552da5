package io.capoa.lint.rules;

import io.capoa.lint.manifest.Finding;
import java.util.List;
import java.util.stream.Stream;

/** Taints that the pods have to tolerate. */
final class TolerationRules {

    static final List<WorkloadRule> ALL =
            List.of(TolerationRules::controlPlane, TolerationRules::notReady, TolerationRules::unreachable);

    static final String NO_SCHEDULE = "NoSchedule";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final String UNREACHABLE = "node.kubernetes.io/unreachable";

    private TolerationRules() {}

    /** Pods that are bound to control plane nodes can run nowhere else. */
    private static Stream<Finding> controlPlane(Workload workload, LintContext context) {
        if (workload.tolerates(PlacementRules.MASTER, "", NO_SCHEDULE)) {
            return Stream.empty();
        }
        String path = workload.path("tolerations");
        String what = "the taint " + PlacementRules.MASTER + " is not tolerated";
        String remedy = "add {key: " + PlacementRules.MASTER + ", operator: Exists, effect: NoSchedule}";
        return PlacementRules.isBoundToControlPlane(workload) && !context.singleNode()
                ? workload.blocking(path, what, "which the control plane nodes have that the pods are bound to", remedy)
                : workload.warning(path, what, "and the first nodes of the cluster are control plane nodes", remedy);
    }

    private static Stream<Finding> notReady(Workload workload, LintContext context) {
        return workload.warningIf(
                !workload.tolerates(NOT_READY, "", NO_SCHEDULE),
                workload.path("tolerations"),
                "the taint " + NOT_READY + " is not tolerated",
                "and Nodes are not ready until their network runs, which may need their addresses first",
                "add {key: " + NOT_READY + ", operator: Exists, effect: NoSchedule}");
    }

    /** Kubernetes itself adds a toleration of five minutes. */
    private static Stream<Finding> unreachable(Workload workload, LintContext context) {
        return workload.warningIf(
                !workload.isKind("DaemonSet") && !workload.tolerates(UNREACHABLE, "", "NoExecute"),
                workload.path("tolerations"),
                "the taint " + UNREACHABLE + " has no toleration of its own",
                "and by default pods leave an unreachable node after five minutes only",
                "add {key: " + UNREACHABLE + ", operator: Exists, effect: NoExecute, tolerationSeconds: 120}");
    }
}
