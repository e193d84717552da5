package io.capoa.lab.e2e;

import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Who writes while nothing happens. */
final class Writes {

    /** What a manager writes to show that it lives, and what merely tells of something. */
    private static final Set<String> SIGNS_OF_LIFE =
            Set.of("leases", "events", "nodes", "tokenreviews", "subjectaccessreviews", "serviceaccounts");

    private static final Duration QUIET = Duration.ofSeconds(3);

    private Writes() {}

    /**
     * Waits until nobody has written for some seconds, and then reports what is written in as many more. Tests beside it
     * write too: it looks at one namespace.
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
