package io.capoa.api.conditions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A status with conditions. */
public interface ConditionedStatus {

    /** The conditions, unique by type; {@code null} before the first reconcile. */
    @Nullable
    List<Condition> conditions();
}
