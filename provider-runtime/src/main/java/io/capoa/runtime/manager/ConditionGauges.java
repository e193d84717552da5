package io.capoa.runtime.manager;

import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.ConditionedStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.processing.Controller;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * How many objects have which conditions, by the caches: where clusters and hosts are, and what they wait for. Counted for
 * each page, so that a restart loses nothing.
 */
final class ConditionGauges {

    private record Group(String controller, String type, String status, String reason) implements Comparable<Group> {
        @Override
        public int compareTo(Group other) {
            return (controller + type + status + reason)
                    .compareTo(other.controller + other.type + other.status + other.reason);
        }
    }

    private final MultiGauge gauge;
    private final List<Controller<? extends HasMetadata>> controllers = new CopyOnWriteArrayList<>();

    ConditionGauges(MeterRegistry registry) {
        gauge = MultiGauge.builder("capoa.conditions")
                .description("Objects that have a condition with this status and reason")
                .register(registry);
    }

    void add(Controller<? extends HasMetadata> controller) {
        controllers.add(controller);
    }

    /** Counts again. */
    void refresh() {
        Map<Group, Integer> counts = new TreeMap<>();
        for (Controller<? extends HasMetadata> controller : controllers) {
            String name = controller.getConfiguration().getName();
            controller
                    .getEventSourceManager()
                    .getControllerEventSource()
                    .list()
                    .flatMap(ConditionGauges::conditions)
                    .map(condition -> new Group(name, condition.type(), condition.status(), condition.reason()))
                    .forEach(group -> counts.merge(group, 1, Integer::sum));
        }
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
