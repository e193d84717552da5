package io.capoa.lab.assisted;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The status that the service last wrote to an object, to skip writes without a change even if the cache is stale. */
final class Published {

    private Map<String, Object> last = Map.of();
    private List<Map<String, Object>> conditions = List.of();

    /** Whether the status differs from what was last written. */
    boolean differs(Map<String, Object> status) {
        return !status.equals(last);
    }

    /** Stores a status that has been written. */
    void wrote(Map<String, Object> status) {
        last = status;
    }

    /** The conditions with transition times, which change only with the status. */
    List<Map<String, Object>> conditions(List<ServiceCondition> wanted) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        List<Map<String, Object>> rendered = new ArrayList<>();
        for (ServiceCondition condition : wanted) {
            Object since = conditions.stream()
                    .filter(c -> condition.type().equals(c.get("type"))
                            && condition.status().equals(c.get("status")))
                    .map(c -> Objects.requireNonNull(c.get("lastTransitionTime")))
                    .findFirst()
                    .orElse(now);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("type", condition.type());
            entry.put("status", condition.status());
            entry.put("reason", condition.reason());
            entry.put("message", condition.message());
            entry.put("lastTransitionTime", since);
            rendered.add(entry);
        }
        conditions = List.copyOf(rendered);
        return rendered;
    }
}
