package io.capoa.lint.rules;

import io.capoa.api.conditions.PlannedFinding.Severity;
import io.capoa.lint.manifest.Finding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Rules for all manifests together. */
final class SetRules {

    private SetRules() {}

    /** A file that cannot be read, or a workload that is not checked, may have what seems to be absent. */
    static Stream<Finding> check(LintContext context) {
        if (context.workloads().size() > LintContext.MOST) {
            return blocking(
                    "more than " + LintContext.MOST + " workloads are cloud controller managers or node managers",
                    "and no more are checked",
                    "remove those of other clouds");
        }
        List<Workload> linux = context.workloads().stream()
                .filter(workload -> !workload.isWindows())
                .toList();
        return Stream.concat(
                context.manifests().unreadable().isEmpty() ? absent(context.workloads()) : Stream.empty(),
                ports(linux));
    }

    private static Stream<Finding> absent(List<Workload> workloads) {
        return workloads.stream().anyMatch(workload -> !workload.isNodeManager())
                ? Stream.empty()
                : blocking(
                        "no cloud controller manager is among them",
                        "and without one no Node is initialized",
                        "add its Deployment with a container of the name " + Workload.MANAGER_CONTAINER);
    }

    private static Stream<Finding> blocking(String what, String why, String remedy) {
        return Stream.of(new Finding(Severity.BLOCKING, "the manifests", "kind Deployment", what, why, remedy));
    }

    private static Stream<Finding> ports(List<Workload> workloads) {
        Map<Integer, Workload> owners = new HashMap<>();
        return workloads.stream()
                .flatMap(workload -> ConnectionRules.hostPorts(workload).stream()
                        .flatMap(port -> {
                            Workload other = owners.putIfAbsent(port, workload);
                            return other == null
                                    ? Stream.empty()
                                    : workload.warning(
                                            workload.path("containers"),
                                            "port " + port + " is that of "
                                                    + other.object().label() + " as well",
                                            "and only one of them can bind it on a node",
                                            "give one of them another --secure-port");
                        }));
    }
}
