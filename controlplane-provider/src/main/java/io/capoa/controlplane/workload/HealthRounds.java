package io.capoa.controlplane.workload;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queries for the health of one control plane. As long as all is well, and nothing has changed that the management
 * cluster knows of, a snapshot is kept, because another one costs commands in a pod and TLS handshakes: every other round
 * only asks whether the API server takes requests, which it does not without etcd's majority; the rounds in between
 * compare what the ClusterOperators report with what they reported when the snapshot was taken, for which it has to take
 * requests, too.
 */
public final class HealthRounds {

    /**
     * Rounds are a minute apart, and the etcd operator asks its members once a minute: a lost member is noticed after three
     * minutes.
     */
    private static final int COMPARED_EVERY = 2;

    /** For what no operator reports; a multiple of the other. */
    private static final int READ_EVERY = 30;

    /**
     * A snapshot that is kept.
     *
     * @param known what the management cluster knew when it was taken
     * @param rounds for which it has been kept
     */
    private record Kept(HealthSnapshot snapshot, Object known, int rounds) {}

    private volatile @Nullable Kept last;

    /**
     * The health now.
     *
     * @param known what the management cluster knows about the control plane, compared by value with what it knew before
     */
    ControlPlaneHealth next(Object known, HealthQueries queries) {
        Kept before = last;
        Kept now = before != null && isCurrent(before, known, queries)
                ? new Kept(before.snapshot, known, before.rounds + 1)
                : new Kept(queries.snapshot(), known, 0);
        last = now;
        return now.snapshot.health();
    }

    /**
     * Asks for something before a snapshot in any case: a connection that the last query left may lead nowhere now, and ends
     * with that question.
     */
    private static boolean isCurrent(Kept kept, Object known, HealthQueries queries) {
        if (!kept.snapshot.health().isWell()) {
            return false;
        }
        int round = kept.rounds + 1;
        boolean mayStay = round < READ_EVERY && known.equals(kept.known);
        boolean compares = mayStay && round % COMPARED_EVERY == 0;
        boolean asBefore = compares
                ? isUnchanged(kept.snapshot, queries.reports())
                : queries.readiness().ready();
        return mayStay && asBefore;
    }

    private static boolean isUnchanged(HealthSnapshot snapshot, Optional<OperatorReports> reports) {
        return reports.filter(snapshot.reports()::equals).isPresent();
    }
}
