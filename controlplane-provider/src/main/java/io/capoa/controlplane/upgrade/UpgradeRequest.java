package io.capoa.controlplane.upgrade;

import io.capoa.api.controlplane.v1beta1.UpgradeSettings;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the control plane asks of its cluster.
 *
 * @param target {@code spec.distributionVersion}
 * @param settings {@code spec.upgrade}; {@code null} if it is not set
 * @param obstacle why no upgrade may start now; {@code null} if one may
 * @param kubernetes what {@code spec.version} says about it
 * @param image the registry's answer, for a release that the update service does not offer, or whose Kubernetes version
 *     has to be confirmed
 * @param consent what the user agrees to for this upgrade
 */
public record UpgradeRequest(
        String target,
        @Nullable UpgradeSettings settings,
        @Nullable String obstacle,
        RequestedKubernetes kubernetes,
        TargetImage image,
        UpgradeConsent consent) {

    /** The same with the registry's answer. */
    public UpgradeRequest with(TargetImage answer) {
        return new UpgradeRequest(target, settings, obstacle, kubernetes, answer, consent);
    }

    @Nullable
    String channel() {
        return settings == null ? null : settings.channel();
    }

    List<String> acknowledgements() {
        return settings == null ? List.of() : Objects.requireNonNullElse(settings.acknowledgements(), List.of());
    }

    List<String> acceptedRisks() {
        return settings == null ? List.of() : Objects.requireNonNullElse(settings.acceptedRisks(), List.of());
    }

    List<String> pausedWorkerPools() {
        return settings == null ? List.of() : Objects.requireNonNullElse(settings.pausedWorkerPools(), List.of());
    }

    boolean isForced() {
        return settings != null && Boolean.TRUE.equals(settings.force());
    }

    /** Whether the release is wanted although the cluster reports a failure. */
    boolean isWantedWithWarnings() {
        return target.equals(consent.withWarnings());
    }

    /** Whether a release that the update service does not offer is wanted, too. */
    public boolean isExplicit() {
        return settings != null && Boolean.TRUE.equals(settings.allowExplicitUpgrade());
    }
}
