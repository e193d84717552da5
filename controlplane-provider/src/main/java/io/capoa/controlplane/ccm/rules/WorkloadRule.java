package io.capoa.controlplane.ccm.rules;

import io.capoa.controlplane.ccm.manifest.Finding;
import io.capoa.controlplane.ccm.manifest.Finding.Severity;
import io.capoa.controlplane.ccm.manifest.Workload;
import java.util.stream.Stream;

/** A rule for one workload. */
@FunctionalInterface
interface WorkloadRule {

    /** The findings; empty if the rule holds or does not apply. */
    Stream<Finding> check(Workload workload, LintContext context);

    static Stream<Finding> blocking(Workload workload, String path, String what, String why, String remedy) {
        return Stream.of(new Finding(Severity.BLOCKING, workload.object().label(), path, what, why, remedy));
    }

    static Stream<Finding> warning(Workload workload, String path, String what, String why, String remedy) {
        return Stream.of(new Finding(Severity.WARNING, workload.object().label(), path, what, why, remedy));
    }
}
