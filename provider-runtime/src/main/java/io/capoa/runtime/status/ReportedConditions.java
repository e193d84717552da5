package io.capoa.runtime.status;

import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.ConditionedStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The conditions in an object's status: what earlier reconciles found out, perhaps of another process.
 *
 * @param all of them, in no order
 */
public record ReportedConditions(List<Condition> all) {

    /** None before the first reconcile. */
    public static ReportedConditions in(@Nullable ConditionedStatus status) {
        List<Condition> known = status == null ? null : status.conditions();
        return new ReportedConditions(known == null ? List.of() : known);
    }

    public Optional<Condition> get(String type) {
        return all.stream().filter(condition -> condition.type().equals(type)).findFirst();
    }

    /** Whether the condition is there and True. */
    public boolean isTrue(String type) {
        return get(type)
                .filter(condition -> condition.status().equals(Condition.TRUE))
                .isPresent();
    }

    /** Whether the condition was computed from the spec as it is in this generation. */
    public boolean isOf(String type, @Nullable Long generation) {
        return get(type)
                .filter(condition -> Objects.equals(condition.observedGeneration(), generation))
                .isPresent();
    }
}
