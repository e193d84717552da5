package io.capoa.bootstrap.integration;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Requests of the bootstrap provider in one namespace, from the audit log. */
final class ProviderRequests {

    /** Longer than the debounce of a changing status. */
    private static final Duration REST = Duration.ofMillis(1200);

    private final TestCluster cluster;
    private final String namespace;
    private final AuditLog.@Nullable Mark begin;
    /** What has been read of the log so far, because tests ask many times and other tests fill it meanwhile. */
    private final List<AuditEntry> read = new ArrayList<>();

    private AuditLog.@Nullable Mark next;

    /** Counts from now on. */
    ProviderRequests(TestCluster cluster, String namespace) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.begin = cluster.auditLog().map(AuditLog::mark).orElse(null);
        this.next = begin;
    }

    /** Position in the audit log at the start. */
    AuditLog.Mark begin() {
        assumeTrue(begin != null, "this kind of cluster keeps no audit log that tests can read");
        return Objects.requireNonNull(begin);
    }

    /** Requests of the provider in this namespace, without watches. */
    synchronized List<AuditEntry> all() {
        AuditLog.Mark from = Objects.requireNonNullElse(next, begin());
        String user = cluster.userName(KnownUsers.BOOTSTRAP_PROVIDER);
        next = cluster.auditLog().orElseThrow().read(from, namespace, entry -> {
            if (entry.user().equals(user)
                    && entry.namespace().equals(namespace)
                    && !entry.verb().equals("watch")) {
                read.add(entry);
            }
        });
        return List.copyOf(read);
    }

    /** Its writes there. */
    List<AuditEntry> writes() {
        return all().stream().filter(AuditEntry::isWrite).toList();
    }

    /** Its writes to a resource, such as {@code agents}. */
    List<AuditEntry> writes(String resource, String subresource) {
        return writes().stream()
                .filter(entry ->
                        entry.resource().equals(resource) && entry.subresource().equals(subresource))
                .toList();
    }

    /** Returns when there have been no requests for a while. */
    void awaitRest() {
        long[] seen = {-1, System.nanoTime()};
        SceneObjects.soon("rest").until(() -> {
            int now = all().size();
            if (now != seen[0]) {
                seen[0] = now;
                seen[1] = System.nanoTime();
            }
            return System.nanoTime() - seen[1] > REST.toNanos();
        });
    }
}
