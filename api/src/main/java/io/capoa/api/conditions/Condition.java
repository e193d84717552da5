package io.capoa.api.conditions;

import io.capoa.api.ApiType;
import org.jspecify.annotations.Nullable;

/**
 * A {@code metav1.Condition}.
 *
 * @param type CamelCase name, unique within its list
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason CamelCase word for programs
 * @param message sentence for people, may be empty
 * @param lastTransitionTime RFC 3339, when {@code status} last changed
 * @param observedGeneration {@code metadata.generation} that the condition was computed from
 */
@ApiType
public record Condition(
        String type,
        String status,
        String reason,
        String message,
        String lastTransitionTime,
        @Nullable Long observedGeneration) {

    public static final String TRUE = "True";
    public static final String FALSE = "False";
    public static final String UNKNOWN = "Unknown";

    /** Whether type, status, reason, message and generation are the same; the transition time may differ. */
    public boolean saysTheSameAs(Condition other) {
        return type.equals(other.type)
                && status.equals(other.status)
                && reason.equals(other.reason)
                && message.equals(other.message)
                && java.util.Objects.equals(observedGeneration, other.observedGeneration);
    }
}
