package io.capoa.runtime.status;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A change of a condition's status or reason. A change of its message alone is none.
 *
 * @param type of the condition
 * @param from status and reason before, such as {@code False (WaitingForAgent)}, or {@code absent}
 * @param to status and reason after
 * @param why message of the condition after, in one line; may be empty
 */
public record Transition(String type, String from, String to, String why) {

    private static final String ABSENT = "absent";
    private static final String SUMMARY = "Ready";
    private static final String NOT = "Not";

    /**
     * The changes between two lists of conditions, by type. Left out are conditions that appear in their good state, such as
     * ScalingUp False with NotScalingUp, changes of Ready that only repeat the change of another condition, and, of an
     * object's first conditions, those that are not True: Ready says what the object waits for first.
     *
     * @param before {@code null} if there was no status
     */
    static List<Transition> between(@Nullable List<Condition> before, @Nullable List<Condition> after) {
        Map<String, ConditionView> then = byType(before);
        Map<String, ConditionView> now = byType(after);
        TreeSet<String> types = new TreeSet<>(then.keySet());
        types.addAll(now.keySet());
        List<Transition> transitions = new ArrayList<>();
        for (String type : types) {
            boolean counts = type.equals(SUMMARY) ? !isRepetition(then, now) : !then.isEmpty() || isTrue(now.get(type));
            if (counts) {
                change(type, then.get(type), now.get(type)).ifPresent(transitions::add);
            }
        }
        return transitions;
    }

    /** The change of one condition; empty if status and reason are the same. */
    public static Optional<Transition> of(@Nullable ConditionView before, ConditionView after) {
        return change(after.type(), before, after);
    }

    private static Optional<Transition> change(
            String type, @Nullable ConditionView before, @Nullable ConditionView after) {
        String from = state(before);
        String to = state(after);
        boolean appearsGood = before == null
                && after != null
                && after.status().equals(Condition.FALSE)
                && after.reason().equals(NOT + type);
        if (from.equals(to) || appearsGood) {
            return Optional.empty();
        }
        String why = after == null ? "" : after.message().replace('\n', ' ').strip();
        return Optional.of(new Transition(type, from, to, why));
    }

    private static boolean isTrue(@Nullable ConditionView condition) {
        return condition != null && condition.status().equals(Condition.TRUE);
    }

    /** Whether Ready keeps its status and gives the reason of another condition, as it did before. */
    private static boolean isRepetition(Map<String, ConditionView> then, Map<String, ConditionView> now) {
        ConditionView before = then.get(SUMMARY);
        ConditionView after = now.get(SUMMARY);
        return before != null
                && after != null
                && before.status().equals(after.status())
                && hasReason(then, before.reason())
                && hasReason(now, after.reason());
    }

    private static boolean hasReason(Map<String, ConditionView> conditions, String reason) {
        return conditions.values().stream()
                .anyMatch(condition ->
                        !condition.type().equals(SUMMARY) && condition.reason().equals(reason));
    }

    private static Map<String, ConditionView> byType(@Nullable List<Condition> conditions) {
        Map<String, ConditionView> found = new TreeMap<>();
        Objects.requireNonNullElse(conditions, List.<Condition>of())
                .forEach(condition -> found.put(
                        condition.type(),
                        new ConditionView(
                                condition.type(), condition.status(), condition.reason(), condition.message())));
        return found;
    }

    private static String state(@Nullable ConditionView condition) {
        return condition == null ? ABSENT : condition.status() + " (" + condition.reason() + ")";
    }
}
