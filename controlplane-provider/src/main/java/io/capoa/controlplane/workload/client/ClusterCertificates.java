package io.capoa.controlplane.workload.client;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends of the certificates by which a workload cluster and its kubeconfig know each other, of those that should have been
 * renewed by now. Two answers about certificates that are renewed in time are equal.
 *
 * @param known whether the API server has shown its certificates
 * @param client end of the client certificate in the kubeconfig; {@code null} if there is none, or it is not due
 * @param server end of the earliest certificate that the API server shows; {@code null} if none is due
 */
public record ClusterCertificates(
        boolean known, @Nullable Instant client, @Nullable Instant server) {

    /** Nothing has been seen. */
    public static final ClusterCertificates UNKNOWN = new ClusterCertificates(false, null, null);

    /** As usual for certificates that live long, and for which people are needed. */
    private static final Duration LONGEST_NOTICE = Duration.ofDays(30);

    /** OpenShift renews a serving certificate of 30 days after 15, and its authorities after four fifths of their time. */
    private static final int LAST_PART = 5;

    /**
     * Those of them that are due.
     *
     * @param client the client's own certificate first; empty if there is none
     * @param server what the API server has shown; empty if it has not
     */
    static ClusterCertificates of(List<X509Certificate> client, List<X509Certificate> server, Instant now) {
        return new ClusterCertificates(!server.isEmpty(), end(client, now), end(server, now));
    }

    /** Whether one of them is about to expire, or has expired. */
    public boolean isDue() {
        return client != null || server != null;
    }

    private static @Nullable Instant end(List<X509Certificate> chain, Instant now) {
        return chain.stream()
                .filter(certificate -> !now.isBefore(noticeFrom(certificate)))
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** The last fifth of its validity, at most 30 days. */
    private static Instant noticeFrom(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        Duration part =
                Duration.between(certificate.getNotBefore().toInstant(), end).dividedBy(LAST_PART);
        return end.minus(part.compareTo(LONGEST_NOTICE) < 0 ? part : LONGEST_NOTICE);
    }
}
