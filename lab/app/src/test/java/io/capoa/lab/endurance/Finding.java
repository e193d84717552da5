package io.capoa.lab.endurance;

import java.util.List;

/**
 * A broken rule.
 *
 * @param history of the object, one event a line
 */
public record Finding(String rule, String what, List<String> history) {

    @Override
    public String toString() {
        return "%s: %s%n    %s".formatted(rule, what, String.join(System.lineSeparator() + "    ", history));
    }
}
