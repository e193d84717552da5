package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The conditions of a ClusterOperator as library-go's union makes them of all conditions of the operator whose type ends with
 * the same word: the union is as expected until one of them has not been for the time of its inertia, and its message joins
 * theirs.
 *
 * @param due when the report changes although no condition does; empty if it does not
 */
record OperatorReport(Condition available, Condition progressing, Condition degraded, Optional<Instant> due) {

    private static final String AS_EXPECTED = "AsExpected";

    /** Of an operator whose conditions are not simulated. */
    static final OperatorReport NONE = new OperatorReport(
            Condition.yes("Available", AS_EXPECTED, ""),
            Condition.no("Progressing", AS_EXPECTED, ""),
            Condition.no("Degraded", AS_EXPECTED, ""),
            Optional.empty());

    /**
     * The report now.
     *
     * @param operator object of the operator with its conditions, each with its message
     * @param inertia of conditions that the operator is degraded by
     */
    static OperatorReport of(Object operator, Duration inertia, Instant now) {
        List<?> conditions = Fields.any(operator, "status", "conditions") instanceof List<?> list ? list : List.of();
        if (conditions.isEmpty()) {
            return NONE;
        }
        return new OperatorReport(
                union("Available", "True", Duration.ZERO, conditions, now),
                union("Progressing", "False", Duration.ZERO, conditions, now),
                union("Degraded", "False", inertia, conditions, now),
                bad("Degraded", "False", conditions)
                        .map(condition -> elder(condition, inertia))
                        .filter(now::isBefore)
                        .min(Instant::compareTo));
    }

    private static Condition union(String type, String expected, Duration inertia, List<?> conditions, Instant now) {
        List<?> bad = bad(type, expected, conditions).toList();
        if (bad.stream().allMatch(condition -> now.isBefore(elder(condition, inertia)))) {
            return new Condition(type, expected, AS_EXPECTED, messages(ofType(type, conditions)));
        }
        String reason = bad.stream()
                .map(condition -> prefix(condition, type) + "_" + Fields.text(condition, "reason"))
                .sorted()
                .collect(Collectors.joining("::"));
        return new Condition(type, expected.equals("True") ? "False" : "True", reason, messages(bad.stream()));
    }

    private static Stream<?> ofType(String type, List<?> conditions) {
        return conditions.stream()
                .filter(condition -> Fields.text(condition, "type").endsWith(type));
    }

    private static Stream<?> bad(String type, String expected, List<?> conditions) {
        return ofType(type, conditions)
                .filter(condition -> !Fields.text(condition, "status").equals(expected));
    }

    /** When the condition has lasted long enough to count. */
    private static Instant elder(Object condition, Duration inertia) {
        return Instant.parse(Fields.text(condition, "lastTransitionTime")).plus(inertia);
    }

    private static String prefix(Object condition, String suffix) {
        String type = Fields.text(condition, "type");
        return type.substring(0, type.length() - suffix.length());
    }

    private static String messages(Stream<?> conditions) {
        return conditions
                .map(condition -> Fields.text(condition, "type") + ": " + Fields.text(condition, "message"))
                .collect(Collectors.joining("\n"));
    }
}
