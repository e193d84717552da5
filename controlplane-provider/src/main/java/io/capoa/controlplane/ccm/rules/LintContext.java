package io.capoa.controlplane.ccm.rules;

import io.capoa.controlplane.ccm.manifest.Manifests;

/**
 * What a rule knows besides the workload.
 *
 * @param singleNode whether the cluster has a single node
 */
public record LintContext(Manifests manifests, boolean singleNode) {}
