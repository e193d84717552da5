package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import io.capoa.lint.manifest.Finding;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Kind of the workload, its replicas and their leader election. */
final class ReplicaRules {

    static final List<WorkloadRule> ALL = List.of(
            ReplicaRules::bootstrapPod,
            ReplicaRules::kind,
            ReplicaRules::number,
            ReplicaRules::paused,
            ReplicaRules::none,
            ReplicaRules::one,
            ReplicaRules::several,
            ReplicaRules::leaderElection,
            ReplicaRules::strategy);

    private static final Set<String> KINDS = Set.of("Deployment", "DaemonSet", "Pod");
    private static final Set<String> NOT_REPLICATED = Set.of("DaemonSet", "Pod", "Job");
    private static final String REPLICAS = "spec.replicas";

    private ReplicaRules() {}

    private static Stream<Finding> bootstrapPod(Workload workload, LintContext context) {
        return workload.blockingIf(
                workload.isKind("Pod"),
                "kind",
                "it is a Pod, as for the bootstrap node",
                "but there is no bootstrap node here, and nothing recreates a Pod that is gone",
                "remove it, and add a Deployment");
    }

    private static Stream<Finding> kind(Workload workload, LintContext context) {
        return workload.warningIf(
                !KINDS.contains(workload.object().kind()),
                "kind",
                "it is neither a Deployment nor a DaemonSet",
                "and is not replaced as fast when its node fails",
                "write kind: Deployment");
    }

    private static Stream<Finding> number(Workload workload, LintContext context) {
        Object replicas = workload.field("spec", "replicas");
        return workload.blockingIf(
                isReplicated(workload) && replicas != null && !(replicas instanceof Number),
                REPLICAS,
                "it is not a number",
                "and the API server refuses the object",
                "write " + (context.singleNode() ? 1 : 2) + " without quotes");
    }

    private static Stream<Finding> paused(Workload workload, LintContext context) {
        return workload.blockingIf(
                workload.isKind("Deployment") && Fields.isTrue(workload.object().content(), "spec", "paused"),
                "spec.paused",
                "the Deployment is paused",
                "and Kubernetes creates no pods of a new Deployment that is paused",
                "remove the field");
    }

    private static Stream<Finding> none(Workload workload, LintContext context) {
        return workload.blockingIf(
                isReplicated(workload) && workload.replicas() == 0,
                REPLICAS,
                "it has no replicas",
                "and no Node is ever initialized",
                "write " + (context.singleNode() ? 1 : 2));
    }

    private static Stream<Finding> one(Workload workload, LintContext context) {
        return workload.warningIf(
                isReplicated(workload) && workload.replicas() == 1 && !context.singleNode(),
                REPLICAS,
                "it has one replica",
                "and new Nodes and load balancers wait while its node is down",
                "write 2");
    }

    private static Stream<Finding> several(Workload workload, LintContext context) {
        return workload.warningIf(
                isReplicated(workload) && workload.replicas() > 1 && context.singleNode(),
                REPLICAS,
                "it has " + workload.replicas() + " replicas on a single node",
                "where only one can run",
                "write 1");
    }

    private static Stream<Finding> leaderElection(Workload workload, LintContext context) {
        return workload.isNodeManager() || context.singleNode() || (isReplicated(workload) && workload.replicas() < 2)
                ? Stream.empty()
                : workload.mainContainer()
                        .filter(container -> container.hasFlag("leader-elect", "false"))
                        .flatMap(container -> workload.blocking(
                                workload.path(container.path()),
                                "leader election is off with several replicas",
                                "which then create and delete the same cloud resources at the same time",
                                "write --leader-elect=true"));
    }

    private static Stream<Finding> strategy(Workload workload, LintContext context) {
        return workload.warningIf(
                workload.isKind("Deployment")
                        && context.singleNode()
                        && workload.hasHostNetwork()
                        && !"Recreate".equals(workload.field("spec", "strategy", "type")),
                "spec.strategy.type",
                "pods are replaced one by one on a single node",
                "where the new one cannot bind the ports of the old one",
                "write Recreate");
    }

    private static boolean isReplicated(Workload workload) {
        return !NOT_REPLICATED.contains(workload.object().kind());
    }
}
