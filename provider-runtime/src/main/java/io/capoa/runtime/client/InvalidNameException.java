package io.capoa.runtime.client;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** A request was not sent, for a part of it is not what the API server has at that place. */
public final class InvalidNameException extends KubernetesClientException {

    private static final long serialVersionUID = 1L;

    InvalidNameException(String message) {
        super(message);
    }
}
