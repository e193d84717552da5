package io.capoa.controlplane.workload.health;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
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

    /** Rounds within which a provider that has just started takes a snapshot of each cluster that was well. */
    private static final int FIRST_WITHIN = 5;

    private final int ahead;

    private volatile @Nullable Kept last;

    /**
     * Queries that have not begun.
     *
     * @param reportedWell whether conditions say that all is well: then the first snapshot waits for some rounds, so that a
     *     provider that starts does not take those of all its clusters in the same minute
     */
    public HealthRounds(boolean reportedWell) {
        this(reportedWell ? ThreadLocalRandom.current().nextInt(FIRST_WITHIN) : 0);
    }

    /**
     * Queries that have not begun.
     *
     * @param ahead rounds before the first snapshot, which ask only whether the API server takes requests
     */
    HealthRounds(int ahead) {
        this.ahead = ahead;
    }

    /**
     * The health now; {@link ControlPlaneHealth#SERVING} before the first snapshot.
     *
     * @param known what the management cluster knows about the control plane, compared by value with what it knew before
     */
    public ControlPlaneHealth next(Object known, HealthQueries queries) {
        Kept before = last == null && ahead > 0 ? Kept.ahead(known, ahead) : last;
        Kept now = Optional.ofNullable(before)
                .flatMap(kept -> kept.keep(known, queries))
                .orElseGet(() -> new Kept(queries.snapshot(), known, 0));
        last = now;
        return now.snapshot.health();
    }

    /**
     * A snapshot that is kept.
     *
     * @param known what the management cluster knew when it was taken
     * @param rounds for which it has been kept
     */
    private record Kept(HealthSnapshot snapshot, Object known, int rounds) {

        /** In place of a snapshot that is to be taken after some rounds. */
        static Kept ahead(Object known, int rounds) {
            return new Kept(HealthSnapshot.NOT_TAKEN, known, READ_EVERY - 1 - rounds);
        }

        /**
         * Itself for another round; empty if another snapshot is to be taken. Asks for something before that in any case: a
         * connection that the last query left may lead nowhere now, and ends with that query.
         */
        Optional<Kept> keep(Object knownNow, HealthQueries queries) {
            boolean taken = snapshot.health().isWhole();
            if (taken && !snapshot.health().isWell()) {
                return Optional.empty();
            }
            int round = rounds + 1;
            boolean mayStay = round < READ_EVERY && knownNow.equals(known);
            Optional<OperatorReports> reports = mayStay && taken && round % COMPARED_EVERY == 0
                    ? queries.reports(snapshot.reports()).filter(snapshot.reports()::agreesWith)
                    : Optional.of(snapshot.reports())
                            .filter(same -> queries.readiness().ready() && mayStay);
            return reports.map(same -> new Kept(new HealthSnapshot(snapshot.health(), same), known, round));
        }
    }
}
