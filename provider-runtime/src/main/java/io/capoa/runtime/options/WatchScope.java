package io.capoa.runtime.options;

import io.capoa.api.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

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
    public static final String LABEL = Labels.WATCH_FILTER;

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
        return watchFilter.map(value -> LABEL + "=" + value);
    }

    /** Whether objects in this namespace are reconciled. */
    public boolean includes(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
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
