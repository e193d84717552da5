package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rule {@code spec.remediation.triggerIf} of a MachineHealthCheck: how many Machines may be unhealthy. */
final class RemediationBudget {

    private static final Pattern RANGE = Pattern.compile("\\[(\\d+)-(\\d+)]");
    private static final Pattern PERCENT = Pattern.compile("(\\d+)%");

    private final @Nullable Object limit;
    private final @Nullable String range;

    private RemediationBudget(@Nullable Object limit, @Nullable String range) {
        this.limit = limit;
        this.range = range;
    }

    static RemediationBudget of(MachineHealthCheck check) {
        return new RemediationBudget(
                Fields.any(check, "spec", "remediation", "triggerIf", "unhealthyLessThanOrEqualTo"),
                Fields.string(check, "spec", "remediation", "triggerIf", "unhealthyInRange"));
    }

    /** Why Machines must not be remediated now, or {@code null}; a limit wins over a range, none means all. */
    @Nullable
    String refusal(int expected, int unhealthy) {
        Matcher between = RANGE.matcher(range == null || limit != null ? "" : range);
        if (between.matches()) {
            boolean inside =
                    unhealthy >= Integer.parseInt(between.group(1)) && unhealthy <= Integer.parseInt(between.group(2));
            return inside ? null : refusal(expected, unhealthy, "unhealthyInRange: " + range);
        }
        return unhealthy <= maximum(expected)
                ? null
                : refusal(expected, unhealthy, "unhealthyLessThanOrEqualTo: " + limit);
    }

    /** How many more Machines may become unhealthy before remediation stops; never negative. */
    int left(int expected, int unhealthy) {
        Matcher between = RANGE.matcher(range == null || limit != null ? "" : range);
        int maximum = between.matches() ? Integer.parseInt(between.group(2)) : maximum(expected);
        return refusal(expected, unhealthy) == null ? Math.max(0, maximum - unhealthy) : 0;
    }

    private int maximum(int expected) {
        if (limit instanceof Number number) {
            return number.intValue();
        }
        Matcher percent = PERCENT.matcher(limit == null ? "100%" : String.valueOf(limit));
        return percent.matches() ? expected * Integer.parseInt(percent.group(1)) / 100 : 0;
    }

    private static String refusal(int expected, int unhealthy, String rule) {
        return "Remediation is not allowed, the number of not started or unhealthy machines does not satisfy %s (total: %d, unhealthy: %d)"
                .formatted(rule, expected, unhealthy);
    }
}
