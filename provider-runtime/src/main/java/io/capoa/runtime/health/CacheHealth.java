package io.capoa.runtime.health;

import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.KindSource;
import io.capoa.runtime.watch.MissingKind;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.health.EventSourceHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import io.javaoperatorsdk.operator.health.Status;
import io.javaoperatorsdk.operator.processing.Controller;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Health of an operator's informer caches: those not in sync, and kinds that the cluster does not serve. */
public final class CacheHealth {

    private CacheHealth() {}

    /**
     * The names of unhealthy event sources; empty if there are none. Leaves out optional sources, and kinds that the
     * cluster does not serve: the process can only wait for their CRDs.
     */
    public static Optional<String> problem(Operator operator) {
        var behind = new TreeMap<String, String>();
        for (RegisteredController<?> controller : operator.getRegisteredControllers()) {
            var name = controller.getConfiguration().getName();
            unhealthy(controller).forEach((source, health) -> {
                if (!source.startsWith(EventSources.OPTIONAL) && absence(health).isEmpty()) {
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

    /** For each kind that the cluster does not serve: its name and what to install. */
    public static SortedSet<String> missingKinds(Operator operator) {
        var sentences = new TreeSet<String>();
        for (RegisteredController<?> controller : operator.getRegisteredControllers()) {
            unhealthy(controller).forEach((source, health) -> {
                if (!source.startsWith(EventSources.OPTIONAL)) {
                    absence(health).ifPresent(absence -> sentences.add(absence.sentence()));
                }
            });
        }
        return sentences;
    }

    /** Empty before the start: JOSDK cannot say anything of a controller then. */
    private static Map<String, EventSourceHealthIndicator> unhealthy(RegisteredController<?> controller) {
        return controller instanceof Controller<?> known
                        && !known.getEventSourceManager()
                                .getControllerEventSource()
                                .isRunning()
                ? Map.of()
                : controller.getControllerHealthInfo().unhealthyEventSources();
    }

    private static Optional<MissingKind> absence(EventSourceHealthIndicator health) {
        return health instanceof KindSource<?, ?> source ? source.absence() : Optional.empty();
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
