package io.capoa.lab.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Retries a write while the API server, or a webhook that it calls, is unavailable; a rejection is final. */
final class Retry {

    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final int TOO_MANY_REQUESTS = 429;

    private final Duration longest;
    private final Consumer<String> say;

    /**
     * Creates a retry policy.
     *
     * @param longest how long one write is retried
     * @param say receives a line for each reason to wait
     */
    Retry(Duration longest, Consumer<String> say) {
        this.longest = longest;
        this.say = say;
    }

    /**
     * Writes until it succeeds.
     *
     * @param what the object, for messages
     * @throws KubernetesClientException if the write is rejected, or the time is over
     */
    void write(String what, Runnable write) {
        long deadline = System.nanoTime() + longest.toNanos();
        Set<String> said = new HashSet<>();
        while (true) {
            try {
                write.run();
                return;
            } catch (KubernetesClientException e) {
                if (!isPassing(e) || System.nanoTime() - deadline > 0) {
                    throw e;
                }
                String reason = reason(e);
                if (said.add(reason)) {
                    say.accept("Waiting up to %d s to apply %s: %s".formatted(longest.toSeconds(), what, reason));
                }
                pause();
            }
        }
    }

    /** Whether the same write may succeed later: there was no response, or a response without a decision. */
    static boolean isPassing(KubernetesClientException failure) {
        String message = reason(failure);
        return switch (failure.getCode()) {
            case TOO_MANY_REQUESTS, HttpURLConnection.HTTP_UNAVAILABLE, HttpURLConnection.HTTP_GATEWAY_TIMEOUT -> true;
            case HttpURLConnection.HTTP_INTERNAL_ERROR ->
                message.contains("failed calling webhook") || message.contains("rpc error: code = Unavailable");
            default -> failure.getCode() <= 0 && isUnanswered(failure);
        };
    }

    private static boolean isUnanswered(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof IOException && !(cause instanceof JsonProcessingException));
    }

    /** Message of the API server, or why there is none. */
    static String reason(KubernetesClientException failure) {
        if (failure.getStatus() != null && failure.getStatus().getMessage() != null) {
            return failure.getStatus().getMessage();
        }
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return Objects.requireNonNullElse(root.getMessage(), root.toString());
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while waiting for the API server or a webhook.", e);
        }
    }
}
