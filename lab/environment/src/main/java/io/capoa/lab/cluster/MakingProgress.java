package io.capoa.lab.cluster;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** Says which of several programs is made, how long that has lasted and how long it is expected to last. */
final class MakingProgress {

    static final Duration BETWEEN_SIGNS_OF_LIFE = Duration.ofSeconds(15);

    private final Clock clock;
    private final Consumer<String> say;

    private int count;
    private int finished;
    private Instant begun = Instant.EPOCH;
    private Instant last = Instant.EPOCH;

    MakingProgress(Clock clock, Consumer<String> say) {
        this.clock = clock;
        this.say = say;
    }

    void say(String text) {
        say.accept(text);
    }

    /** Numbers that many programs from one. */
    void expect(int programs) {
        count = programs;
        finished = 0;
    }

    /** The next program begins. */
    void begin(String what) {
        begun = clock.instant();
        last = begun;
        say.accept(number() + what);
    }

    /** The current program is there. */
    void finish(String what) {
        String line = "%s%s in %s".formatted(number(), what, text(elapsed()));
        finished++;
        begun = clock.instant();
        last = begun;
        say.accept(line);
    }

    /** The current program cannot be had this way. */
    void fail(String why) {
        say.accept("%s%s.".formatted(number(), why));
    }

    /** Says that the current program is still being made, if the last line was said long enough ago. */
    void stillMaking(String what, Expectation expectation) {
        if (isDue()) {
            say.accept("%s%s: %s".formatted(number(), what, expectation.after(elapsed())));
        }
    }

    /** Waiting for something else than a program begins. */
    void beginWaiting(String what) {
        begun = clock.instant();
        last = begun;
        say.accept(what);
    }

    /** Says that waiting goes on, if the last line was said long enough ago. */
    void stillWaiting(String what) {
        if (isDue()) {
            say.accept("%s: %s so far".formatted(what, text(elapsed())));
        }
    }

    private boolean isDue() {
        Instant now = clock.instant();
        if (Duration.between(last, now).compareTo(BETWEEN_SIGNS_OF_LIFE) < 0) {
            return false;
        }
        last = now;
        return true;
    }

    private Duration elapsed() {
        return Duration.between(begun, clock.instant());
    }

    private String number() {
        return "[%d/%d] ".formatted(finished + 1, count);
    }

    /** Such as {@code 45 s} or {@code 2 min 43 s}. */
    static String text(Duration duration) {
        return duration.toMinutes() == 0
                ? duration.toSeconds() + " s"
                : "%d min %d s".formatted(duration.toMinutes(), duration.toSecondsPart());
    }

    /** What is known of the time that a program still takes. */
    @FunctionalInterface
    interface Expectation {

        /** Words for the elapsed and the expected time, such as "45 s of about 3 min". */
        String after(Duration elapsed);
    }
}
