package io.capoa.controlplane.release;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The OpenShift or OKD version that a user asks for, parsed as a semantic version where it is one.
 *
 * @param preRelease the segments after {@code -}, without dots; empty for a final version
 * @param build what follows {@code +}; empty if nothing does
 */
public record DistributionVersion(long major, long minor, long patch, List<String> preRelease, String build)
        implements Comparable<DistributionVersion> {

    /** The oldest version that can be installed. */
    public static final DistributionVersion MINIMUM = ofMinor(4, 14);

    private static final String OKD = "okd-scos";
    private static final Pattern TOLERANT = Pattern.compile(
            "\\s*v?(\\d{1,9})(?:\\.(\\d{1,9}))?(?:\\.(\\d{1,9}))?(?:-([0-9A-Za-z.-]+))?(?:\\+([0-9A-Za-z.-]+))?\\s*");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    public DistributionVersion {
        preRelease = List.copyOf(preRelease);
    }

    /** The first final version of a minor one. */
    public static DistributionVersion ofMinor(long major, long minor) {
        return new DistributionVersion(major, minor, 0, List.of(), "");
    }

    /** Empty for text that is no version, such as {@code latest}; {@code v4.20} reads as {@code 4.20.0}. */
    public static Optional<DistributionVersion> parse(String text) {
        Matcher m = TOLERANT.matcher(text);
        if (!m.matches()) {
            return Optional.empty();
        }
        return Optional.of(new DistributionVersion(
                number(m.group(1)),
                number(m.group(2)),
                number(m.group(3)),
                m.group(4) == null ? List.of() : List.of(m.group(4).split("\\.", -1)),
                m.group(5) == null ? "" : m.group(5)));
    }

    /** Whether the text names an OKD release: a pre-release segment begins with {@code okd-scos}. */
    public static boolean isOkd(String text) {
        return parse(text)
                .map(v -> v.preRelease.stream().anyMatch(s -> s.startsWith(OKD)))
                .orElse(false);
    }

    /** Whether the text names a generally available OKD release, such as {@code 4.18.0-okd-scos.2}. */
    public static boolean isOkdGa(String text) {
        return parse(text)
                .map(v -> v.preRelease.size() == 2
                        && v.preRelease.getFirst().equals(OKD)
                        && NUMBER.matcher(v.preRelease.getLast()).matches())
                .orElse(false);
    }

    /** Whether the text names a generally available release of either distribution. */
    public static boolean isGa(String text) {
        return parse(text)
                .map(v -> (v.preRelease.isEmpty() && v.build.isEmpty()) || isOkdGa(text))
                .orElse(false);
    }

    /** Message for a version that is too old; empty for a version that is supported or cannot be compared. */
    public static Optional<String> unsupported(String text) {
        return parse(text)
                .filter(v -> v.compareTo(MINIMUM) < 0)
                .map(v -> "version %s is not supported, the minimum supported version is %s".formatted(text, MINIMUM));
    }

    /** Precedence of semantic versions; build metadata does not count. */
    @Override
    public int compareTo(DistributionVersion other) {
        int core = Comparator.comparingLong(DistributionVersion::major)
                .thenComparingLong(DistributionVersion::minor)
                .thenComparingLong(DistributionVersion::patch)
                .compare(this, other);
        if (core != 0) {
            return core;
        }
        if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
            return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
        }
        for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
            int segment = compareSegments(preRelease.get(i), other.preRelease.get(i));
            if (segment != 0) {
                return segment;
            }
        }
        return Integer.compare(preRelease.size(), other.preRelease.size());
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch
                + (preRelease.isEmpty() ? "" : "-" + String.join(".", preRelease))
                + (build.isEmpty() ? "" : "+" + build);
    }

    private static int compareSegments(String a, String b) {
        boolean numberA = NUMBER.matcher(a).matches();
        boolean numberB = NUMBER.matcher(b).matches();
        if (numberA && numberB) {
            return Long.compare(Long.parseLong(a), Long.parseLong(b));
        }
        return numberA == numberB ? a.compareTo(b) : Boolean.compare(numberB, numberA);
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
