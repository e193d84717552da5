package io.capoa.runtime.options;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The objects that this manager reconciles (Cluster API bootstrap provider contract, "support running multiple
 * instances": {@code --namespace} and {@code --watch-filter}).
 *
 * <p>Namespaces apply to primary and secondary resources, the label to primary ones only: the controllers that create the
 * secondaries do not label them.
 *
 * @param namespaces sorted; empty means all
 * @param watchFilter value that the label {@value #LABEL} of a primary resource must have; empty means any or none
 */
public record WatchScope(SortedSet<String> namespaces, Optional<String> watchFilter) {

    /** Cluster API's label that assigns an object to one of several managers. */
    public static final String LABEL = "cluster.x-k8s.io/watch-filter";

    /** Every object in every namespace. */
    public static final WatchScope EVERYTHING = new WatchScope(new TreeSet<>(), Optional.empty());

    public WatchScope {
        namespaces = Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
    }

    /** Parses the flags' values: ignores blanks around names and empty names; {@code ""} means all. */
    static WatchScope of(String commaSeparatedNamespaces, String watchFilter) {
        var namespaces = new TreeSet<String>();
        Arrays.stream(commaSeparatedNamespaces.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .forEach(namespaces::add);
        var filter = watchFilter.strip();
        return new WatchScope(namespaces, filter.isEmpty() ? Optional.empty() : Optional.of(filter));
    }

    /** Label selector for primary resources, in the API server's syntax; empty to select all. */
    public Optional<String> labelSelector() {
        return watchFilter.map(WatchScope::selector);
    }

    /** Whether objects in this namespace are reconciled. */
    public boolean includes(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }

    /**
     * Whether a primary resource still has the label that its controller selects. JOSDK's cache does not tell: it keeps the
     * response to a write of ours that came after the label had been removed.
     */
    public static boolean selects(ControllerConfiguration<?> controller, HasMetadata primary) {
        String selector = controller.getInformerConfig().getLabelSelector();
        Map<String, String> labels =
                Objects.requireNonNullElse(primary.getMetadata().getLabels(), Map.of());
        return selector == null || selector.equals(selector(labels.get(LABEL)));
    }

    private static String selector(@Nullable String value) {
        return LABEL + "=" + value;
    }

    /** Limits a controller to this scope. */
    public <P extends HasMetadata> void applyTo(ControllerConfigurationOverrider<P> configuration) {
        if (namespaces.isEmpty()) {
            configuration.watchingAllNamespaces();
        } else {
            configuration.settingNamespaces(Set.copyOf(namespaces));
        }
        labelSelector().ifPresent(configuration::withLabelSelector);
    }
}
