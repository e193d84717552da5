package io.capoa.controlplane.upgrade;

import io.capoa.api.Annotations;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import org.jspecify.annotations.Nullable;

/**
 * What the user agrees to for one upgrade, by annotations of the control plane. Each names a release, so that it means
 * nothing for the next upgrade.
 *
 * @param rollbackFrom release that the cluster may leave for a lower one; {@code null} if none
 * @param withWarnings release that may be asked for although the cluster reports a failure; {@code null} if none
 */
public record UpgradeConsent(
        @Nullable String rollbackFrom, @Nullable String withWarnings) {

    /** Agrees to nothing. */
    public static final UpgradeConsent NONE = new UpgradeConsent(null, null);

    /** The consent in the annotations of a control plane. */
    public static UpgradeConsent of(OpenshiftAssistedControlPlane controlPlane) {
        return new UpgradeConsent(
                Annotations.value(controlPlane, Annotations.ROLLBACK_FROM),
                Annotations.value(controlPlane, Annotations.UPGRADE_WITH_WARNINGS));
    }
}
