package io.capoa.lint.rules;

import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.Finding.Severity;
import io.capoa.lint.manifest.Workload;
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
