package io.capoa.controlplane.release;

import io.capoa.api.rules.ImageReference;
import java.util.List;

/**
 * Metadata of a release image.
 *
 * @param image the image by digest, {@code <repository>@sha256:…}, in the repository that was asked for (not a mirror)
 * @param version the release's own version, such as {@code 4.20.0}; empty if the image does not say
 * @param kubernetesVersion as the image says it, without a leading {@code v}, such as {@code 1.33.5}
 * @param architectures platforms of an image index in its own words ({@code amd64}, {@code arm64}), sorted; empty for
 *     an image of one platform
 */
public record Release(String image, String version, String kubernetesVersion, List<String> architectures) {

    public Release {
        architectures = architectures.stream().sorted().distinct().toList();
    }

    /** The same release in another repository: equal digests are equal content. */
    Release in(ImageReference reference, String digest) {
        return new Release(reference.withDigest(digest).toString(), version, kubernetesVersion, architectures);
    }
}
