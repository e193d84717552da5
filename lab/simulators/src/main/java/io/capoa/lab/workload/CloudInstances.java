package io.capoa.lab.workload;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The API of a simulated cloud, as its cloud controller manager uses it. */
@FunctionalInterface
public interface CloudInstances {

    /** A cloud without instances. */
    CloudInstances NONE = hostname -> Optional.empty();

    /**
     * A running instance.
     *
     * @param addresses each with {@code type} and {@code address}, as in a Node's status
     */
    record Instance(String providerId, String zone, String type, List<Map<String, String>> addresses) {}

    /** The instance with that hostname, which is its Node's name. */
    Optional<Instance> find(String hostname);
}
