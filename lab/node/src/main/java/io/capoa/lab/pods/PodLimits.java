package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Resource limits of a container, from {@code resources.limits}. */
final class PodLimits {

    private static final String MEMORY_VARIABLE = "MEMORY_LIMIT";
    private static final String CPU_VARIABLE = "CPU_LIMIT";

    private PodLimits() {}

    /** Bytes of memory; empty without a limit. */
    static OptionalLong memory(Container container) {
        return limit(container, "memory")
                .map(limit -> OptionalLong.of(limit.getNumericalAmount().longValue()))
                .orElseGet(OptionalLong::empty);
    }

    /** Substitutes limits in a command, see {@link Program}; drops elements with a limit that is not set. */
    static List<String> in(List<String> command, Container container) {
        Map<String, String> known = new TreeMap<>();
        memory(container).ifPresent(bytes -> known.put(MEMORY_VARIABLE, Long.toString(bytes)));
        limit(container, "cpu")
                .map(limit -> limit.getNumericalAmount().setScale(0, RoundingMode.CEILING))
                .ifPresent(processors -> known.put(CPU_VARIABLE, processors.toPlainString()));
        return command.stream()
                .map(element -> Expansion.expand(element, known))
                .filter(element ->
                        !element.contains("$(" + MEMORY_VARIABLE + ")") && !element.contains("$(" + CPU_VARIABLE + ")"))
                .toList();
    }

    private static Optional<Quantity> limit(Container container, String resource) {
        return Optional.ofNullable(container.getResources())
                .map(resources -> resources.getLimits())
                .map(limits -> limits.get(resource));
    }
}
