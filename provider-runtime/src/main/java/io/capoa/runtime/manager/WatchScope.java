package io.capoa.runtime.manager;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which objects this manager looks after (Cluster API bootstrap provider contract, "support running multiple
 * instances": {@code --namespace} and {@code --watch-filter}).
 *
 * <p>Namespaces hold for primary and secondary resources, the label for primary ones only: secondaries are made by
 * others, who do not label them.
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

    /** Scope of the flags' values: blanks around names and empty names are ignored, {@code ""} means all. */
    static WatchScope of(String commaSeparatedNamespaces, String watchFilter) {
        var namespaces = new TreeSet<String>();
        Arrays.stream(commaSeparatedNamespaces.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .forEach(namespaces::add);
        var filter = watchFilter.strip();
        return new WatchScope(namespaces, filter.isEmpty() ? Optional.empty() : Optional.of(filter));
    }

    /** Label selector for primary resources, in the API server's syntax; empty when every one is ours. */
    public Optional<String> labelSelector() {
        return watchFilter.map(value -> LABEL + "=" + value);
    }

    /** Whether objects in this namespace are looked after. */
    public boolean includes(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }

    <P extends HasMetadata> void applyTo(ControllerConfigurationOverrider<P> configuration) {
        if (namespaces.isEmpty()) {
            configuration.watchingAllNamespaces();
        } else {
            configuration.settingNamespaces(Set.copyOf(namespaces));
        }
        labelSelector().ifPresent(configuration::withLabelSelector);
    }
}
