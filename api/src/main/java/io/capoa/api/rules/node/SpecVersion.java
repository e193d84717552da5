package io.capoa.api.rules.node;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A stable version of the Ignition 3 specification, {@code 3.<minor>.0}. */
public record SpecVersion(int minor) implements Comparable<SpecVersion> {

    /** The oldest version of the specification. */
    public static final SpecVersion OLDEST = new SpecVersion(0);

    /** The older version of overrides that assisted-service takes: it parses them as exactly one of the two. */
    public static final SpecVersion OLDER_OVERRIDE = new SpecVersion(1);

    /** The newer version of overrides that assisted-service takes. */
    public static final SpecVersion NEWER_OVERRIDE = new SpecVersion(2);

    private static final int NEWEST_MINOR = 5;
    private static final Pattern STABLE = Pattern.compile("3\\.([0-9])\\.0");

    /**
     * Reads {@code ignition.version}.
     *
     * @param source where the configuration came from, for the message
     * @throws InvalidIgnitionException if the version is none that this provider knows
     */
    public static SpecVersion parse(@Nullable String version, String source) {
        if (version == null) {
            throw new InvalidIgnitionException(source + " has no ignition.version");
        }
        var matcher = STABLE.matcher(version);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) > NEWEST_MINOR) {
            throw new InvalidIgnitionException(source + " has Ignition version " + printable(version)
                    + ", supported are 3.0.0 to 3." + NEWEST_MINOR + ".0");
        }
        return new SpecVersion(Integer.parseInt(matcher.group(1)));
    }

    private static String printable(String version) {
        return version.length() > 32 ? version.substring(0, 32) + "…" : version;
    }

    @Override
    public int compareTo(SpecVersion other) {
        return Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return "3." + minor + ".0";
    }
}
