package io.capoa.runtime.assisted;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A check of assisted-service that a host or a cluster does not meet.
 *
 * @param id assisted-service's name of the check, such as {@code ntp-synced}
 * @param message assisted-service's text
 */
public record FailedValidation(String id, String message) {

    /** The checks with status {@code failure} in {@code status.validationsInfo}, in the order of their groups' names. */
    public static List<FailedValidation> of(GenericKubernetesResource object) {
        return new TreeMap<>(validations(object))
                .values().stream().flatMap(FailedValidation::ofGroup).toList();
    }

    /** Whether assisted-service lists the object's checks, failed or not. */
    public static boolean areListed(GenericKubernetesResource object) {
        return !validations(object).isEmpty();
    }

    /** Removes all other checks from the object: cache pruning. */
    public static void keepOnly(GenericKubernetesResource object) {
        for (Object group : validations(object).values()) {
            if (group instanceof List<?> checks) {
                checks.removeIf(check -> !isFailure(check));
            }
        }
    }

    private static Map<String, Object> validations(GenericKubernetesResource object) {
        return Fields.map(object, "status", "validationsInfo");
    }

    private static Stream<FailedValidation> ofGroup(Object group) {
        return group instanceof List<?> checks
                ? checks.stream()
                        .filter(FailedValidation::isFailure)
                        .map(check -> new FailedValidation(
                                String.valueOf(Fields.any(check, "id")), String.valueOf(Fields.any(check, "message"))))
                : Stream.empty();
    }

    private static boolean isFailure(@Nullable Object check) {
        return "failure".equals(Fields.any(check, "status"));
    }

    @Override
    public String toString() {
        return id.isEmpty() ? message : id + ": " + message;
    }
}
