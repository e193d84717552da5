package io.capoa.lab.e2e;

import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Writes in an idle management cluster. */
final class AuditedWrites {

    /** Leases and Events, which do not count. */
    private static final Set<String> SIGNS_OF_LIFE =
            Set.of("leases", "events", "nodes", "tokenreviews", "subjectaccessreviews", "serviceaccounts");

    private static final Duration QUIET = Duration.ofSeconds(3);

    private AuditedWrites() {}

    /**
     * Waits until there have been no writes for some seconds, then reports the writes of as many more. Considers one
     * namespace, because other tests write too.
     */
    static List<String> atRest(RealLab lab, String namespace) throws InterruptedException {
        await().atMost(RealLab.SOON).until(() -> during(lab, namespace).isEmpty());
        return during(lab, namespace);
    }

    private static List<String> during(RealLab lab, String namespace) throws InterruptedException {
        AuditLog.Mark mark = lab.audit().mark();
        Thread.sleep(QUIET);
        return lab.audit().since(mark).stream()
                .filter(AuditEntry::isWrite)
                .filter(entry -> entry.namespace().equals(namespace))
                .filter(entry -> !SIGNS_OF_LIFE.contains(entry.resource()))
                .map(entry -> "%s %s %s/%s".formatted(entry.user(), entry.verb(), entry.resource(), entry.name()))
                .toList();
    }

    /** The writes of both providers in a namespace that the API server has refused as outdated and need not have been sent. */
    static List<String> conflicts(RealLab lab, String namespace) {
        return conflicts(lab.audit().since(lab.audit().start()).stream()
                .filter(entry -> entry.namespace().equals(namespace))
                .toList());
    }

    static List<String> conflicts(List<AuditEntry> log) {
        return log.stream()
                .filter(entry -> entry.user().contains("capoa-") && entry.code() == HttpURLConnection.HTTP_CONFLICT)
                .filter(entry -> !isOvertaken(log, entry))
                .map(entry -> "%s %s %s/%s".formatted(entry.user(), entry.verb(), entry.resource(), entry.name()))
                .toList();
    }

    /**
     * Whether another has written the object after the manager's look at it, which comes right before a write that is fenced
     * by the object's version: on a busy machine the two are far enough apart for a status of the service, and the fence
     * holds.
     */
    private static boolean isOvertaken(List<AuditEntry> log, AuditEntry refused) {
        List<AuditEntry> ofTheObject = log.stream()
                .filter(entry -> entry.resource().equals(refused.resource())
                        && entry.name().equals(refused.name()))
                .toList();
        return ofTheObject.stream()
                .filter(entry -> entry.verb().equals("list") && entry.user().equals(refused.user()))
                .map(AuditEntry::received)
                .filter(look -> look.isBefore(refused.received()))
                .max(Comparator.naturalOrder())
                .map(look -> ofTheObject.stream()
                        .filter(entry -> entry.isWrite()
                                && entry.succeeded()
                                && !entry.user().equals(refused.user()))
                        .anyMatch(entry ->
                                entry.time().isAfter(look) && entry.received().isBefore(refused.time())))
                .orElse(false);
    }
}
