package io.capoa.lab.upgrade;

import java.time.Instant;

/**
 * Progress of applying a payload.
 *
 * @param done number of operators that have the payload's version, in the order of {@link Operators#IN_ORDER}
 * @param since when the next operator started
 */
public record Rollout(int done, Instant since) {

    /** Manifests per operator. */
    private static final int MANIFESTS = 75;

    private static final int PERCENT = 100;

    /** The operator that is being updated. */
    public String operator() {
        return Operators.IN_ORDER.get(Math.min(done, Operators.IN_ORDER.size() - 1));
    }

    boolean isComplete() {
        return done >= Operators.IN_ORDER.size();
    }

    Rollout next(Instant now) {
        return new Rollout(done + 1, now);
    }

    /** Such as {@code 150 of 900 done (16% complete), waiting on etcd}. */
    String progress() {
        int all = Operators.IN_ORDER.size() * MANIFESTS;
        int applied = done * MANIFESTS + MANIFESTS / 2;
        return "%d of %d done (%d%% complete), waiting on %s"
                .formatted(applied, all, applied * PERCENT / all, operator());
    }
}
