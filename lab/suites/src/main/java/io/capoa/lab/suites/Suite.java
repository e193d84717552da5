package io.capoa.lab.suites;

import java.util.Set;

/**
 * A test class.
 *
 * @param module folder of its module, such as {@code lab/app}
 * @param name of the class, such as {@code io.capoa.lab.whole.OneLifeTest}
 * @param tags of the class and, where it says so, of its methods
 */
record Suite(String module, String name, Set<String> tags) implements Comparable<Suite> {

    private static final String OURS = "io.capoa.";

    /** Package without {@code io.capoa.}; empty for that package itself. */
    String group() {
        int end = name.lastIndexOf('.');
        return name.substring(Math.min(OURS.length(), end), end);
    }

    String simpleName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public int compareTo(Suite other) {
        return name.compareTo(other.name);
    }
}
