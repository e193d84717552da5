package io.capoa.controlplane.extension;

import io.capoa.controlplane.release.DistributionVersion;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A version of Kubernetes.
 *
 * @param text as it was written, with or without a leading {@code v}
 */
record KubernetesVersion(String text, DistributionVersion semantic) implements Comparable<KubernetesVersion> {

    private static final Pattern FORM = Pattern.compile("v?\\d{1,4}\\.\\d{1,4}\\.\\d{1,6}([-+][0-9A-Za-z.+-]{1,100})?");

    /** Empty for a text that is no version of three numbers. */
    static Optional<KubernetesVersion> parse(String text) {
        return FORM.matcher(text).matches()
                ? DistributionVersion.parse(text).map(semantic -> new KubernetesVersion(text, semantic))
                : Optional.empty();
    }

    /** The first patch of a minor version. */
    KubernetesVersion ofMinor(long minor) {
        return new KubernetesVersion(
                "v" + semantic.major() + "." + minor + ".0", DistributionVersion.ofMinor(semantic.major(), minor));
    }

    long major() {
        return semantic.major();
    }

    long minor() {
        return semantic.minor();
    }

    /** Precedence of semantic versions; build metadata does not count. */
    @Override
    public int compareTo(KubernetesVersion other) {
        return semantic.compareTo(other.semantic);
    }

    @Override
    public String toString() {
        return text;
    }
}
