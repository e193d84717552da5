package io.capoa.lab.pods;

/**
 * Why a container is waiting, as shown by {@code kubectl get pods} and {@code kubectl describe pod}.
 *
 * @param reason such as {@code ContainerCreating}
 * @param message names what is missing
 */
record Waiting(String reason, String message) {

    static final String CREATING = "ContainerCreating";

    static Waiting creating(String message) {
        return new Waiting(CREATING, message);
    }
}
