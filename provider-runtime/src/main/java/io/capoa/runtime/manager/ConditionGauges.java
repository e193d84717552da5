package io.capoa.runtime.manager;

import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.ConditionedStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How many objects have which conditions, by the caches: where clusters and hosts are, and what they wait for. Counted for
 * each page, so that a restart loses nothing.
 */
final class ConditionGauges {

    private record Group(String controller, String type, String status, String reason) {}

    private final MultiGauge gauge;
    private final Map<String, Supplier<Stream<? extends HasMetadata>>> caches = new ConcurrentHashMap<>();

    ConditionGauges(MeterRegistry registry) {
        gauge = MultiGauge.builder("capoa.conditions")
                .description("Objects that have a condition with this status and reason")
                .register(registry);
    }

    /** @param cache all objects of the controller */
    void add(String controller, Supplier<Stream<? extends HasMetadata>> cache) {
        caches.put(controller, cache);
    }

    /** Counts again. */
    void refresh() {
        Map<Group, Integer> counts = new HashMap<>();
        caches.forEach((controller, cache) -> cache.get()
                .flatMap(ConditionGauges::conditions)
                .map(condition -> new Group(controller, condition.type(), condition.status(), condition.reason()))
                .forEach(group -> counts.merge(group, 1, Integer::sum)));
        List<Row<?>> rows = new ArrayList<>();
        counts.forEach((group, count) -> rows.add(Row.of(
                Tags.of("controller", group.controller(), "type", group.type())
                        .and("status", group.status(), "reason", group.reason()),
                count)));
        gauge.register(rows, true);
    }

    private static Stream<Condition> conditions(HasMetadata object) {
        return object instanceof CustomResource<?, ?> resource
                        && resource.getStatus() instanceof ConditionedStatus status
                        && status.conditions() != null
                ? status.conditions().stream()
                : Stream.empty();
    }
}
