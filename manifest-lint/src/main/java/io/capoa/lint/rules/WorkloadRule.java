package io.capoa.lint.rules;

import io.capoa.lint.manifest.Finding;
import java.util.stream.Stream;

/** A rule for one workload. */
@FunctionalInterface
interface WorkloadRule {

    /** The findings; empty if the rule holds or does not apply. */
    Stream<Finding> check(Workload workload, LintContext context);
}
