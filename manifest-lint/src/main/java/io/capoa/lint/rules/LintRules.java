package io.capoa.lint.rules;

import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.Manifests;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All rules, in the order in which their findings are reported. */
public final class LintRules {

    /** Kinds whose content a rule reads. */
    public static final Set<String> KINDS = Set.of(
            "Deployment",
            "DaemonSet",
            "StatefulSet",
            "ReplicaSet",
            "Job",
            "Pod",
            "CredentialsRequest",
            "Namespace",
            "Role",
            "ClusterRole",
            "RoleBinding",
            "ClusterRoleBinding",
            "SecurityContextConstraints");

    /** Taints, paths and networks of Linux nodes; the control plane has no others. */
    private static final Set<List<WorkloadRule>> LINUX =
            Set.of(SecurityRules.ALL, TolerationRules.ALL, PlacementRules.ALL, ConnectionRules.ALL);

    private static final List<List<WorkloadRule>> WORKLOAD = List.of(
            IdentityRules.ALL,
            SecurityRules.ALL,
            ReplicaRules.ALL,
            InitializationRules.ALL,
            TolerationRules.ALL,
            PlacementRules.ALL,
            ConnectionRules.ALL,
            ConfigurationRules.ALL,
            ContainerRules.ALL);

    private LintRules() {}

    /**
     * Checks all manifests.
     *
     * @param singleNode whether the cluster has a single node
     */
    public static Stream<Finding> check(Manifests manifests, boolean singleNode) {
        LintContext context = LintContext.of(manifests, singleNode);
        return Stream.concat(
                SetRules.check(context), context.workloads().stream().flatMap(workload -> check(workload, context)));
    }

    private static Stream<Finding> check(Workload workload, LintContext context) {
        return WORKLOAD.stream()
                .filter(rules -> !workload.isWindows() || !LINUX.contains(rules))
                .flatMap(List::stream)
                .flatMap(rule -> rule.check(workload, context));
    }
}
