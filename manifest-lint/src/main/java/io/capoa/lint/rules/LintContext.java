package io.capoa.lint.rules;

import io.capoa.lint.manifest.Manifests;
import io.capoa.lint.manifest.Workload;
import java.util.List;

/**
 * What a rule knows besides the workload.
 *
 * @param workloads the first {@value #MOST} that run a cloud controller manager or cloud node manager, since the time that
 *     the rules take grows with the square of their number; clusters have two or three
 * @param singleNode whether the cluster has a single node
 */
public record LintContext(Manifests manifests, List<Workload> workloads, boolean singleNode) {

    static final int MOST = 100;

    /** With one workload more than is checked, where there are so many. */
    public static LintContext of(Manifests manifests, boolean singleNode) {
        return new LintContext(manifests, manifests.workloads().limit(MOST + 1L).toList(), singleNode);
    }
}
