package io.capoa.runtime.manager;

import io.capoa.runtime.watch.Watches;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.health.EventSourceHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import io.javaoperatorsdk.operator.health.Status;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Says which caches of an operator are not in sync. */
final class CacheHealth {

    private CacheHealth() {}

    /** Empty when every event source of every controller that is not optional is healthy, else all others by name. */
    static Optional<String> problem(Operator operator) {
        var behind = new TreeMap<String, String>();
        for (RegisteredController<?> controller : operator.getRegisteredControllers()) {
            var name = controller.getConfiguration().getName();
            Map<String, EventSourceHealthIndicator> unhealthy =
                    controller.getControllerHealthInfo().unhealthyEventSources();
            unhealthy.forEach((source, health) -> {
                if (!source.startsWith(Watches.OPTIONAL)) {
                    behind.put(name + "/" + source, namespaces(health));
                }
            });
        }
        if (behind.isEmpty()) {
            return Optional.empty();
        }
        var text = new StringBuilder("not in sync:");
        behind.forEach(
                (source, where) -> text.append(' ').append(source).append(where).append(';'));
        text.setLength(text.length() - 1);
        return Optional.of(text.toString());
    }

    private static String namespaces(EventSourceHealthIndicator health) {
        if (!(health instanceof InformerWrappingEventSourceHealthIndicator<?> informers)) {
            return "";
        }
        var names = informers.informerHealthIndicators().entrySet().stream()
                .filter(informer -> informer.getValue().getStatus() != Status.HEALTHY)
                .map(informer -> informer.getValue().getTargetNamespace())
                .filter(namespace -> namespace != null && !namespace.equals("JOSDK_ALL_NAMESPACES"))
                .sorted()
                .toList();
        return names.isEmpty() ? "" : " in " + String.join(", ", names);
    }
}
