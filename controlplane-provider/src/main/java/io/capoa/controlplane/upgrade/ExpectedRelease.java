package io.capoa.controlplane.upgrade;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.status.ReportedConditions;

/** What a control plane's status lets expect of the release that its cluster runs, until the cluster answers. */
public enum ExpectedRelease {
    /** The wanted one, on all nodes: so it was reported, and the spec has not changed since then. */
    WANTED,
    /** Another one than is wanted. */
    OTHER,
    /** It has not been reported, or something was under way. */
    UNKNOWN;

    /** The expectation from the status as the control plane was read. */
    public static ExpectedRelease of(OpenshiftAssistedControlPlane controlPlane) {
        OpenshiftAssistedControlPlaneStatus status = controlPlane.getStatus();
        String reported = status == null ? null : status.distributionVersion();
        if (reported == null) {
            return UNKNOWN;
        }
        if (!reported.equals(controlPlane.getSpec().distributionVersion())) {
            return OTHER;
        }
        return wasAtRest(controlPlane) ? WANTED : UNKNOWN;
    }

    private static boolean wasAtRest(OpenshiftAssistedControlPlane controlPlane) {
        ReportedConditions reported = ReportedConditions.in(controlPlane.getStatus());
        String release = ControlPlaneConditions.RELEASE_RESOLVED;
        return reported.isTrue(release)
                && reported.isOf(release, controlPlane.getMetadata().getGeneration())
                && reported.isTrue(ControlPlaneConditions.CONTROL_PLANE_COMPONENTS_HEALTHY)
                && !reported.isTrue(ControlPlaneConditions.UPGRADE_AVAILABLE)
                && reported.get(ControlPlaneConditions.UPGRADE_COMPLETED)
                        .filter(condition -> !isComplete(condition))
                        .isEmpty();
    }

    /** Without a message about nodes that still follow. */
    private static boolean isComplete(Condition upgrade) {
        return upgrade.status().equals(Condition.TRUE) && upgrade.message().isEmpty();
    }
}
