package io.capoa.runtime.status;

import java.time.Duration;

/**
 * How long a status may be held back.
 *
 * @param still how long it must stay unchanged before it is written; zero for at once
 * @param urgent whether a person has to act on it: it is written within {@link StatusDebouncer#URGENT}, also while it changes
 *     and however many other statuses are held back
 */
public record Patience(Duration still, boolean urgent) {

    /** Not at all: other controllers wait for the status. */
    public static final Patience NONE = new Patience(Duration.ZERO, true);

    /** As long as any status may be: for progress, of which only the latest counts. */
    public static final Patience LONGEST = of(StatusDebouncer.LONGEST);

    /** For a status on which no person has to act. */
    public static Patience of(Duration still) {
        return new Patience(still, false);
    }

    /** For a status on which a person has to act. */
    public static Patience urgent(Duration still) {
        return new Patience(still, true);
    }
}
