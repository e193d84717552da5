package io.capoa.lab.upgrade;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A release's version in the order of semantic versioning.
 *
 * @param prerelease such as {@code rc.2}; empty for a release
 */
public record Version(int major, int minor, int patch, String prerelease) implements Comparable<Version> {

    private static final Pattern FORM =
            Pattern.compile("v?(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})(?:-([0-9A-Za-z.-]+))?.*");
    private static final int LAST_MINOR_OF_4 = 23;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Comparator<Version> NUMBERS = Comparator.comparingInt(Version::major)
            .thenComparingInt(Version::minor)
            .thenComparingInt(Version::patch);

    /** Empty if the text is not a version. */
    public static Optional<Version> of(String text) {
        Matcher m = FORM.matcher(text);
        return m.matches()
                ? Optional.of(new Version(
                        Integer.parseInt(m.group(1)),
                        Integer.parseInt(m.group(2)),
                        Integer.parseInt(m.group(3)),
                        m.group(4) == null ? "" : m.group(4)))
                : Optional.empty();
    }

    /** Whether both belong to the same minor release. */
    public boolean sameMinor(Version other) {
        return major == other.major && minor == other.minor;
    }

    /** The first version of the next minor release, which of 4.23 is 5.0. */
    Version next() {
        return major == 4 && minor == LAST_MINOR_OF_4 ? new Version(5, 0, 0, "") : new Version(major, minor + 1, 0, "");
    }

    /** The minor release, such as {@code 4.20}. */
    public String stream() {
        return major + "." + minor;
    }

    @Override
    public int compareTo(Version other) {
        int numbers = NUMBERS.compare(this, other);
        if (numbers != 0 || prerelease.equals(other.prerelease)) {
            return numbers;
        }
        if (prerelease.isEmpty() || other.prerelease.isEmpty()) {
            return prerelease.isEmpty() ? 1 : -1;
        }
        String[] mine = prerelease.split("\\.", -1);
        String[] theirs = other.prerelease.split("\\.", -1);
        for (int n = 0; n < Math.min(mine.length, theirs.length); n++) {
            int part = comparePart(mine[n], theirs[n]);
            if (part != 0) {
                return part;
            }
        }
        return Integer.compare(mine.length, theirs.length);
    }

    private static int comparePart(String mine, String theirs) {
        boolean number = NUMBER.matcher(mine).matches();
        boolean otherNumber = NUMBER.matcher(theirs).matches();
        if (number && otherNumber) {
            return Integer.compare(Integer.parseInt(mine), Integer.parseInt(theirs));
        }
        return number == otherNumber ? mine.compareTo(theirs) : number ? -1 : 1;
    }
}
