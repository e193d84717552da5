package io.capoa.controlplane.workload.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.security.cert.CertificateException;
import java.util.Objects;
import java.util.stream.Stream;

/** Why a request to a workload cluster failed. */
public final class WorkloadFailure {

    private static final int MOST_CAUSES = 20;

    private WorkloadFailure() {}

    /**
     * Whether another kubeconfig helps: the cluster refuses this one, or has a certificate that this one does not trust. One
     * that has expired no kubeconfig trusts.
     */
    public static boolean isRefused(RuntimeException e) {
        if (e instanceof KubernetesClientException answered && answered.getCode() > 0) {
            return answered.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED
                    || answered.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
        }
        return !ServedChain.isExpired(e)
                && Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                        .limit(MOST_CAUSES)
                        .anyMatch(cause -> cause instanceof CertificateException);
    }

    /** A message for users; never the content of a kubeconfig. */
    public static String words(RuntimeException e) {
        if (e instanceof KubernetesClientException refused && refused.getCode() > 0) {
            return isRefused(refused)
                    ? "it refuses the kubeconfig (%d)".formatted(refused.getCode())
                    : "it answered " + refused.getCode();
        }
        if (ServedChain.isExpired(e)) {
            return "its certificate has expired";
        }
        if (isRefused(e)) {
            return "its certificate is not one that the kubeconfig trusts";
        }
        if (e instanceof IllegalArgumentException) {
            return String.valueOf(e.getMessage());
        }
        return WorkloadClusterAccess.failure(e);
    }
}
