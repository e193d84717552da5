package io.capoa.runtime.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AsyncLookupTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTimer timer = new ManualTimer();
    private final Questions source = new Questions();
    private AsyncLookup<String, String, String> lookup = lookup(Repetition.ALWAYS);

    private AsyncLookup<String, String, String> lookup(Repetition repetition) {
        return new AsyncLookup<>(source, repetition, timer.clock(), new SameThread(), timer);
    }

    @AfterEach
    void stop() {
        lookup.close();
    }

    @Test
    void theFirstRequest_startsOneAttempt_whoseAnswerIsKept() {
        assertThat(request("q")).isEmpty();
        assertThat(request("q")).isEmpty();
        timer.pass(Duration.ZERO);
        assertThat(source.pending).hasSize(1);
        assertThat(request("q")).isEmpty();

        source.answer("good");
        assertThat(request("q")).contains(new Answer<>("good", timer.now(), Duration.ZERO));
        timer.pass(SECOND.multipliedBy(100));
        assertThat(source.attempts).containsExactly("q 0");
        assertThat(source.changed).containsExactly("key");
    }

    @Test
    void anAnswerIsDatedByTheStartOfItsAttempt_andTellsHowLongThatTook() {
        request("q");
        timer.pass(Duration.ZERO);
        var begun = timer.now();
        timer.pass(SECOND);
        source.answer("good");
        assertThat(lookup.answer("key")).contains(new Answer<>("good", begun, SECOND));
    }

    @Test
    void anUnsettledQuestion_isRepeatedAfterGrowingPauses_andOnlyAChangedAnswerNotifies() {
        request("q");
        timer.pass(Duration.ZERO);
        source.answer("bad");
        timer.pass(SECOND);
        source.answer("bad");
        assertThat(source.changed).hasSize(1);
        timer.pass(SECOND);
        assertThat(source.attempts).as("the second pause is longer").containsExactly("q 0", "q 1");
        timer.pass(SECOND);
        source.answer("good");
        assertThat(source.attempts).containsExactly("q 0", "q 1", "q 2");
        assertThat(source.changed).hasSize(2);
        assertThat(timer.scheduled()).isZero();
    }

    @Test
    void aStricterQuestion_isAskedAgain_afterAnEarlierOneWasSettled() {
        request("q");
        timer.pass(Duration.ZERO);
        source.answer("good");
        assertThat(timer.scheduled()).isZero();

        assertThat(request("strict")).map(Answer::value).contains("good");
        request("strict");
        timer.pass(SECOND);
        assertThat(source.attempts).containsExactly("q 0", "strict 1");
        source.answer("best");
        assertThat(request("strict")).map(Answer::value).contains("best");
        timer.pass(SECOND.multipliedBy(100));
        assertThat(source.attempts).hasSize(2);
    }

    static Stream<Throwable> failures() {
        return Stream.of(new IllegalStateException("on purpose"), new StackOverflowError("on purpose"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void anExceptionIsNoAnswer_andTheLastOneIsKept(Throwable failure) {
        request("q");
        timer.pass(Duration.ZERO);
        source.answer("bad");
        source.failure = failure;
        timer.pass(SECOND);
        assertThat(request("q")).map(Answer::value).contains("bad");
        source.failure = null;
        timer.pass(SECOND.multipliedBy(2));
        source.answer("good");
        assertThat(request("q")).map(Answer::value).contains("good");
    }

    @Test
    void onRequest_aFailureIsRepeatedAfterItsPause_onlyWhereItIsRequested() {
        lookup = lookup(Repetition.ON_REQUEST);
        request("q");
        timer.pass(Duration.ZERO);
        source.answer("bad");
        timer.pass(SECOND.multipliedBy(10));
        assertThat(source.attempts).hasSize(1);

        request("q");
        timer.pass(Duration.ZERO);
        assertThat(source.attempts).containsExactly("q 0", "q 1");
        source.answer("bad");
        request("q");
        request("q");
        timer.pass(SECOND);
        assertThat(source.attempts).hasSize(2);
        timer.pass(SECOND);
        assertThat(source.attempts).hasSize(3);
    }

    @Test
    void aRefresh_asksAtOnce_andNotifiesOfAnEqualAnswerToo() {
        request("q");
        timer.pass(Duration.ZERO);
        source.answer("good");
        lookup.refresh("key");
        lookup.refresh("key");
        timer.pass(Duration.ZERO);
        lookup.refresh("key");
        source.answer("good");
        assertThat(source.attempts).hasSize(2);
        assertThat(source.changed).hasSize(2);
    }

    @Test
    void aFirstAttemptThatTakesItsTime_isMadeAtOnceOnlyOnce() {
        lookup.request("key", "q", SECOND.multipliedBy(60));
        timer.pass(SECOND);
        assertThat(source.attempts).isEmpty();

        lookup.askFirstNow("key");
        timer.pass(Duration.ZERO);
        assertThat(source.attempts).containsExactly("q 0");
        source.answer("good");
        lookup.askFirstNow("key");
        timer.pass(SECOND.multipliedBy(100));
        assertThat(source.attempts).as("it has been made").containsExactly("q 0");
    }

    @Test
    void aRestart_dropsTheAnswer_andWhatARunningAttemptFinds() {
        request("q");
        timer.pass(Duration.ZERO);
        timer.pass(SECOND);
        lookup.restart("key");
        source.answer("outdated");
        assertThat(request("q")).isEmpty();
        timer.pass(Duration.ZERO);
        source.answer("good");
        assertThat(request("q")).map(Answer::value).contains("good");
        assertThat(source.attempts).containsExactly("q 0", "q 0");
    }

    @Test
    void restartAll_repeatsMatchingAnswersAtOnce_andKeepsThemUntilThen() {
        request("q");
        lookup.request("other", "q", Duration.ZERO);
        timer.pass(Duration.ZERO);
        source.answer("bad");
        source.answer("good");
        lookup.restartAll("bad"::equals);
        assertThat(request("q")).map(Answer::value).contains("bad");
        timer.pass(Duration.ZERO);
        assertThat(source.attempts).containsExactly("q 0", "q 0", "q 0");
        source.answer("good");
        assertThat(request("q")).map(Answer::value).contains("good");
    }

    @Test
    void aForgottenKey_isNotRepeated_andItsRunningAttemptDoesNotNotify() {
        request("q");
        timer.pass(Duration.ZERO);
        lookup.forget("key");
        source.answer("bad");
        assertThat(source.changed).isEmpty();
        assertThat(timer.scheduled()).isZero();
        assertThat(lookup.query("key")).isEmpty();

        request("new");
        lookup.forgetAll("key"::equals);
        timer.pass(SECOND);
        assertThat(source.attempts).containsExactly("q 0");
    }

    @Test
    void trimming_sparesWhatIsUnderWay() {
        request("q");
        timer.pass(Duration.ZERO);
        source.answer("good");
        lookup.request("running", "q", Duration.ZERO);
        lookup.request("scheduled", "q", SECOND);
        timer.pass(Duration.ZERO);
        lookup.trim(1);
        assertThat(lookup.query("key")).isEmpty();
        assertThat(lookup.query("running")).isPresent();
        assertThat(lookup.query("scheduled")).isPresent();
    }

    private Optional<Answer<String>> request(String query) {
        return lookup.request("key", query, Duration.ZERO);
    }

    private static final class Questions implements LookupSource<String, String, String> {
        private final List<String> attempts = new ArrayList<>();
        private final List<Consumer<@Nullable String>> pending = new ArrayList<>();
        private final List<String> changed = new ArrayList<>();
        private @Nullable Throwable failure;

        void answer(String answer) {
            pending.removeFirst().accept(answer);
        }

        @Override
        public void ask(String key, String query, int unsettled, Consumer<@Nullable String> done) {
            attempts.add(query + " " + unsettled);
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            pending.add(done);
        }

        @Override
        public Optional<Duration> again(String query, @Nullable String latest, @Nullable String kept, int unsettled) {
            boolean settled = "best".equals(latest) || ("good".equals(latest) && !query.equals("strict"));
            return settled ? Optional.empty() : Optional.of(SECOND.multipliedBy(unsettled + 1));
        }

        @Override
        public void changed(String key) {
            changed.add(key);
        }
    }

    private static final class SameThread extends AbstractExecutorService {
        @Override
        public void execute(Runnable command) {
            command.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
