package io.capoa.lint.rules;

import io.capoa.api.contract.CloudProvider;
import io.capoa.lint.manifest.Finding;
import java.util.List;
import java.util.stream.Stream;

/** Initialization of Nodes: by the cloud controller manager or, where it leaves that to it, by the node manager. */
final class InitializationRules {

    static final List<WorkloadRule> ALL =
            List.of(InitializationRules::uninitialized, InitializationRules::withoutNodeManager);

    private static final String TAINT = CloudProvider.TAINT;
    private static final String CONTROLLER = "cloud-node-controller";
    private static final String ALIAS = "cloud-node";

    private InitializationRules() {}

    private static Stream<Finding> uninitialized(Workload workload, LintContext context) {
        return workload.blockingIf(
                !toleratesTaint(workload)
                        && !(leavesNodes(workload)
                                && nodeManagers(context).anyMatch(InitializationRules::toleratesTaint)),
                workload.path("tolerations"),
                "the taint " + TAINT + " is not tolerated",
                "which every Node has until this workload removes it, so that its pods are never scheduled",
                "add {key: " + TAINT + ", operator: Exists, effect: NoSchedule}");
    }

    private static Stream<Finding> withoutNodeManager(Workload workload, LintContext context) {
        return !leavesNodes(workload) || nodeManagers(context).findAny().isPresent()
                ? Stream.empty()
                : workload.mainContainer()
                        .flatMap(container -> workload.blocking(
                                workload.path(container.path()),
                                "--controllers switches off " + CONTROLLER
                                        + ", and no manifest has a cloud node manager",
                                "so that no Node is ever initialized",
                                "add the DaemonSet of the cloud node manager, or remove -" + ALIAS
                                        + " from --controllers"));
    }

    /** The kubelet registers with value {@code true}. */
    private static boolean toleratesTaint(Workload workload) {
        return workload.tolerates(TAINT, "true", TolerationRules.NO_SCHEDULE);
    }

    private static boolean leavesNodes(Workload workload) {
        return !workload.isNodeManager()
                && workload.mainContainer().anyMatch(container -> !container.runsController(CONTROLLER, ALIAS));
    }

    private static Stream<Workload> nodeManagers(LintContext context) {
        return context.workloads().stream().filter(workload -> workload.isNodeManager() && !workload.isWindows());
    }
}
