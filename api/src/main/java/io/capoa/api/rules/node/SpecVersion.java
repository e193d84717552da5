package io.capoa.api.rules.node;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A stable version of the Ignition 3 specification, {@code 3.<minor>.0}. */
public record SpecVersion(int minor) implements Comparable<SpecVersion> {

    /** What assisted-service takes for an installed host at most. */
    public static final SpecVersion INSTALL_TIME = new SpecVersion(1);

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
