package io.capoa.controlplane.install;

/**
 * A release image resolved to its digest and versions.
 *
 * @param resolvedFrom the requested image reference, by tag
 * @param image the same image by digest
 * @param kubernetesVersion without a leading {@code v}
 * @param version the release's own version, empty if its metadata has none
 * @param registryAccess fingerprint of the cluster's own registry configuration; empty if it has none
 */
public record ResolvedRelease(
        String resolvedFrom, String image, String kubernetesVersion, String version, String registryAccess) {}
