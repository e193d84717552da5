package io.capoa.controlplane.release;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A version of Kubernetes.
 *
 * @param text as it was written, with or without a leading {@code v}
 */
public record KubernetesVersion(String text, DistributionVersion semantic) implements Comparable<KubernetesVersion> {

    private static final Pattern FORM = Pattern.compile("v?\\d{1,4}\\.\\d{1,4}\\.\\d{1,6}([-+][0-9A-Za-z.+-]{1,100})?");

    /** Empty for a text that is no version of three numbers. */
    public static Optional<KubernetesVersion> parse(String text) {
        return FORM.matcher(text).matches()
                ? DistributionVersion.parse(text).map(semantic -> new KubernetesVersion(text, semantic))
                : Optional.empty();
    }

    /** The text without a leading {@code v} and build metadata, by which versions from different sources are compared. */
    public static String plain(String version) {
        return version.replaceFirst("^v", "").replaceFirst("\\+.*$", "");
    }

    /** The first patch of a minor version. */
    public KubernetesVersion ofMinor(long minor) {
        return new KubernetesVersion(
                "v" + semantic.major() + "." + minor + ".0", DistributionVersion.ofMinor(semantic.major(), minor));
    }

    public long major() {
        return semantic.major();
    }

    public long minor() {
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
