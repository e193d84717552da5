package io.capoa.bootstrap.config;

import io.capoa.runtime.client.InvalidNameException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** An object that a config needs could not be written; says on which condition that shows. The reconcile is retried. */
final class WriteFailure extends RuntimeException {

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
                    conditionType, reason, what + " could not be written: " + sentence(refused), refused);
        }
    }

    /** Whether the object was changed by somebody else meanwhile: what is right now shows at the next attempt. */
    boolean isConflict() {
        return getCause() instanceof KubernetesClientException refused
                && refused.getCode() == HttpURLConnection.HTTP_CONFLICT;
    }

    String conditionType() {
        return conditionType;
    }

    Hindrance hindrance() {
        return new Hindrance(reason, String.valueOf(getMessage()));
    }

    /** The API server's own words; the client's would quote the whole request. */
    private static String sentence(KubernetesClientException refused) {
        if (refused instanceof InvalidNameException) {
            return String.valueOf(refused.getMessage());
        }
        return refused.getStatus() != null && refused.getStatus().getMessage() != null
                ? HostReport.withoutTokens(refused.getStatus().getMessage())
                : "the API server does not answer";
    }
}
