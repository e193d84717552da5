package io.capoa.controlplane.controlplane;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** The API server's own words about a request that it did not serve. */
final class Refusal {

    private Refusal() {}

    /** One line, without the request's address. */
    static String words(KubernetesClientException e) {
        String message = e.getStatus() == null ? null : e.getStatus().getMessage();
        if (message == null || message.isBlank()) {
            message = e.getMessage();
        }
        return message == null ? "no answer" : message.replaceAll("\\s+", " ").strip();
    }
}
