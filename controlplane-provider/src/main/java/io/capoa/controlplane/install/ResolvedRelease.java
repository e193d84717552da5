package io.capoa.controlplane.install;

/**
 * A release as the registry has described it.
 *
 * @param resolvedFrom the image reference that was asked for, by tag
 * @param image the same image by digest
 * @param kubernetesVersion without a leading {@code v}
 * @param version the release's own version, empty if it does not say
 * @param registryAccess stands for the cluster's own way to reach registries; empty where it has none
 */
public record ResolvedRelease(
        String resolvedFrom, String image, String kubernetesVersion, String version, String registryAccess) {}
