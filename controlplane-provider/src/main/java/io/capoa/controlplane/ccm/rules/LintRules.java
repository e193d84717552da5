package io.capoa.controlplane.ccm.rules;

import io.capoa.controlplane.ccm.manifest.Finding;
import java.util.List;
import java.util.stream.Stream;

/** All rules, in the order in which their findings are reported. */
public final class LintRules {

    private static final List<WorkloadRule> WORKLOAD = Stream.of(
                    IdentityRules.ALL,
                    ReplicaRules.ALL,
                    TolerationRules.ALL,
                    PlacementRules.ALL,
                    ConnectionRules.ALL,
                    ConfigurationRules.ALL,
                    ContainerRules.ALL)
            .flatMap(List::stream)
            .toList();

    private LintRules() {}

    /** Checks all manifests. */
    public static Stream<Finding> check(LintContext context) {
        return Stream.concat(
                SetRules.check(context.manifests()),
                context.manifests().workloads().stream()
                        .flatMap(workload -> WORKLOAD.stream().flatMap(rule -> rule.check(workload, context))));
    }
}
