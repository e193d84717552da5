package io.capoa.lab.e2e;

import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import java.time.Duration;
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
}
