package io.capoa.bootstrap.config.write;

import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * An object that a config needs could not be written; names the condition that shows it. The reconcile is retried.
 */
public final class WriteFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String conditionType;
    private final String reason;

    private WriteFailure(String conditionType, String reason, String message, KubernetesClientException cause) {
        super(message, cause);
        this.conditionType = conditionType;
        this.reason = reason;
    }

    /** Runs a write. */
    static void explain(String conditionType, String reason, String what, Runnable write) {
        try {
            write.run();
        } catch (KubernetesClientException refused) {
            throw new WriteFailure(
                    conditionType,
                    reason,
                    what + " could not be written: "
                            + ReconcileFailure.of(refused).message(),
                    refused);
        }
    }

    /** Whether the write failed by an optimistic lock: the next attempt sees the new state. */
    public boolean isConflict() {
        return getCause() instanceof KubernetesClientException refused && ReconcileFailure.isConflict(refused);
    }

    public String conditionType() {
        return conditionType;
    }

    public Blocker blocker() {
        return new Blocker(reason, String.valueOf(getMessage()));
    }
}
