package io.capoa.runtime.http;

import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Limits for what clients may cost a server.
 *
 * @param connections open at once; when all are taken, the one that is closed for the next is chosen by
 *     {@link OpenConnections}
 * @param headBytes longest request line and headers together
 * @param head from the first byte of a request to the end of its headers; for the first request, from the connection's
 *     beginning, TLS handshake included
 * @param body from the end of the headers to the end of the body
 * @param answer for the client to take the answer
 * @param idle between two requests of a connection; zero closes it after each answer
 */
public record HttpLimits(int connections, int headBytes, Duration head, Duration body, Duration answer, Duration idle) {

    /** The shortest wait for a client. */
    Duration shortest() {
        return Stream.of(head, body, answer, idle)
                .filter(Duration::isPositive)
                .min(Comparator.naturalOrder())
                .orElse(head);
    }
}
