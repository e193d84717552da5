package io.capoa.api.conditions;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.capoa.api.ApiType;
import io.capoa.api.schema.Format;
import io.capoa.api.schema.OneOf;
import io.capoa.api.schema.Patterns;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
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
@JsonClassDescription("One aspect of the object's state.")
public record Condition(
        @JsonPropertyDescription("Type of the condition, in CamelCase; unique within the list. Example: Available.")
        @Required
        @Size(max = 316)
        @Pattern(Patterns.CONDITION_TYPE)
        String type,

        @JsonPropertyDescription("Whether the condition holds: True, False or Unknown.")
        @Required
        @OneOf({TRUE, FALSE, UNKNOWN})
        String status,

        @JsonPropertyDescription("Why the condition has its status, as one CamelCase word for programs. "
                + "Example: WaitingForClusterInfrastructure.")
        @Required
        @Size(min = 1, max = 1024)
        @Pattern(Patterns.CONDITION_REASON)
        String reason,

        @JsonPropertyDescription("Why the condition has its status and what to do about it, for people. May be empty.")
        @Required
        @Size(max = 32768)
        String message,

        @JsonPropertyDescription("When status last changed, in RFC 3339.") @Required @Format("date-time")
        String lastTransitionTime,

        @JsonPropertyDescription("The metadata.generation that the condition was computed from. "
                + "One that is less than metadata.generation is out of date.")
        @Min(0)
        @Nullable
        Long observedGeneration) {

    public static final String TRUE = "True";
    public static final String FALSE = "False";
    public static final String UNKNOWN = "Unknown";
}
