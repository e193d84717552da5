package io.capoa.runtime.leadership;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Messages about failed requests for a Lease. */
final class LeaseFailure {

    private LeaseFailure() {}

    /** What is missing and what to do, of failures that do not end by themselves. */
    static Optional<String> lasting(String verb, String namespace, String name, int code, String message) {
        return switch (code) {
            case HttpURLConnection.HTTP_FORBIDDEN ->
                Optional.of(
                        "This replica cannot lead, because it may not " + verb + " leases.coordination.k8s.io " + name
                                + " in namespace " + namespace + ": " + message
                                + ". Grant get, create and update, as leader_election_role.yaml does, or name another namespace"
                                + " by --leader-elect-namespace");
            case HttpURLConnection.HTTP_NOT_FOUND ->
                Optional.of(
                        "This replica cannot lead, because it cannot " + verb + " leases.coordination.k8s.io " + name
                                + " in namespace " + namespace + ": " + message
                                + ". Create the namespace, or name another one by --leader-elect-namespace");
            default -> Optional.empty();
        };
    }

    /** The API server's message, or that of the root cause. */
    static String message(Throwable failure) {
        if (failure instanceof TimeoutException) {
            return "no answer in time";
        }
        if (failure instanceof KubernetesClientException e && e.getStatus() != null) {
            return String.valueOf(e.getStatus().getMessage());
        }
        var root = failure;
        for (var cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return root.toString();
    }
}
