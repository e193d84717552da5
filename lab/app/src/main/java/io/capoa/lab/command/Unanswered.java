package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Tells requests that got no answer from failures of files, which are also {@link IOException}s. */
final class Unanswered {

    private static final String BUSY = "The machine is too busy, or a process hangs (its log is in the state folder)."
            + " Start again: programs that are downloaded or built stay, and a build goes on where it stopped.";

    private Unanswered() {}

    /** Names the step in which a request got no answer; other failures stay as they are. */
    static RuntimeException during(Optional<String> step, RuntimeException failure) {
        return failure instanceof ClusterException || step.isEmpty()
                ? failure
                : describe(failure)
                        .<RuntimeException>map(text -> new ClusterException(
                                "The lab did not start, while %s. %s".formatted(step.get(), text), failure))
                        .orElse(failure);
    }

    /** What got no answer, and what to do; empty for any other failure. */
    static Optional<String> describe(Throwable failure) {
        Optional<Throwable> reason =
                causes(failure).filter(Unanswered::isOfConnection).findFirst();
        Optional<String> request = causes(failure)
                .filter(KubernetesClientException.class::isInstance)
                .map(Throwable::getMessage)
                .filter(Objects::nonNull)
                .findFirst();
        if (reason.isEmpty() && !(request.isPresent() && causes(failure).anyMatch(IOException.class::isInstance))) {
            return Optional.empty();
        }
        boolean late = reason.filter(Unanswered::isTimeout).isPresent();
        return Optional.of("%s: %s. %s"
                .formatted(
                        late ? "A request timed out" : "A request failed",
                        request.or(() -> reason.map(Throwable::toString))
                                .orElseThrow()
                                .strip()
                                .replaceFirst("\\.$", ""),
                        BUSY));
    }

    static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    private static boolean isOfConnection(Throwable cause) {
        return isTimeout(cause) || cause instanceof SocketException || cause instanceof UnknownHostException;
    }

    private static boolean isTimeout(Throwable cause) {
        return cause instanceof InterruptedIOException
                || cause instanceof HttpTimeoutException
                || cause instanceof TimeoutException;
    }
}
