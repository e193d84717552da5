package io.capoa.lab.pods;

/**
 * Why a container does not run yet, as {@code kubectl get pods} and {@code kubectl describe pod} show it.
 *
 * @param reason a word, such as {@code ContainerCreating}
 * @param message a sentence that names what is missing
 */
record Waiting(String reason, String message) {

    static final String CREATING = "ContainerCreating";

    static Waiting creating(String message) {
        return new Waiting(CREATING, message);
    }
}
