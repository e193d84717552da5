package io.capoa.bootstrap.config.report;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.ConfigFailures;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.EventReasons;
import io.capoa.runtime.events.RecordedEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which status changes become Events: failures and recoveries. An installation without failures records none;
 * its milestones are the transition times of the conditions.
 */
final class ConfigEvents {

    private ConfigEvents() {}

    /** The Events for the change from the first status to the second. */
    static List<RecordedEvent> between(
            @Nullable OpenshiftAssistedConfigStatus before, OpenshiftAssistedConfigStatus after) {
        Map<String, Condition> failed = failures(before);
        Map<String, Condition> failing = failures(after);
        Set<RecordedEvent> event = new LinkedHashSet<>();
        failing.forEach((type, condition) -> {
            Condition known = failed.get(type);
            boolean same = known != null
                    && known.reason().equals(condition.reason())
                    && known.message().equals(condition.message());
            if (!same) {
                event.add(RecordedEvent.warning(condition.reason(), condition.message()));
            }
        });
        failed.forEach((type, condition) -> {
            if (!failing.containsKey(type)) {
                event.add(RecordedEvent.good(
                        EventReasons.RECOVERED, "No longer " + condition.reason() + ": " + condition.message()));
            }
        });
        return new ArrayList<>(event);
    }

    private static Map<String, Condition> failures(@Nullable OpenshiftAssistedConfigStatus status) {
        Map<String, Condition> failures = new TreeMap<>();
        if (status != null && status.conditions() != null) {
            status.conditions().stream()
                    .filter(c ->
                            !c.type().equals(ConfigConditions.READY) && ConfigFailures.REASONS.contains(c.reason()))
                    .forEach(c -> failures.put(c.type(), c));
        }
        return failures;
    }
}
