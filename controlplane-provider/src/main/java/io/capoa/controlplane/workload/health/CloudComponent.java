package io.capoa.controlplane.workload.health;

/**
 * A workload of the cloud controller manager.
 *
 * @param name kind, namespace and name
 * @param wanted number of its pods
 * @param available number of pods that are available
 * @param problem why a pod does not run; empty if none says so
 */
public record CloudComponent(String name, int wanted, int available, String problem) {

    boolean isAvailable() {
        return wanted > 0 && available >= wanted;
    }

    /** One line: how many pods are available, and why others are not. */
    String words() {
        return "%s: %d of %d pods are available%s"
                .formatted(name, available, wanted, problem.isEmpty() ? "" : ": " + problem);
    }
}
