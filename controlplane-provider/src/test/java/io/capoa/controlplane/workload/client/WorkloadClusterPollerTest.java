package io.capoa.controlplane.workload.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.steady.SetClock;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How old an answer may be, and when a query ends. */
class WorkloadClusterPollerTest {

    private static final ResourceID ONE = new ResourceID("cp", "ns");
    private static final ResourceID ANOTHER = new ResourceID("another", "ns");
    private static final String TOPIC = "etcd";

    private final SetClock clock = new SetClock();
    private final WorkloadClusterPoller poller = new WorkloadClusterPoller(clock);
    private final BlockingQueue<ResourceID> woken = new LinkedBlockingQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    /** Holds answers back. */
    private final AtomicReference<CountDownLatch> answers = new AtomicReference<>(new CountDownLatch(0));

    private final AtomicReference<String> truth = new AtomicReference<>("good");

    @BeforeEach
    void listen() {
        poller.onChange(woken::add);
    }

    @AfterEach
    void stop() {
        poller.close();
    }

    @Test
    void anAnswerIsOfTheTimeItWasAsked_andOlderThanTenSeconds_itIsNone() throws InterruptedException {
        Instant begun = clock.instant();
        assertThat(fresh()).isEmpty();
        awaitWake();
        assertThat(fresh()).contains(new Observed<>("good", begun));
        clock.advance(Duration.ofSeconds(10));
        assertThat(fresh()).isPresent();

        truth.set("quorum lost");
        clock.advance(Duration.ofMillis(1));
        assertThat(fresh()).as("settled, and too old").isEmpty();
        awaitWake();
        assertThat(fresh()).map(Observed::value).contains("quorum lost");
    }

    @Test
    void whatIsFollowed_isAskedAgainAfterItsPeriod_andWakesWhenItIsAnother() throws InterruptedException {
        try (WorkloadClusterPoller following = new WorkloadClusterPoller(clock, Duration.ofMillis(50))) {
            following.onChange(woken::add);
            assertThat(following.followed(ONE, TOPIC, true, truth::get, always -> true))
                    .isEmpty();
            awaitWake();
            assertThat(following.followed(ONE, TOPIC, true, truth::get, always -> true))
                    .contains("good");
            truth.set("better");
            awaitWake();
            assertThat(following.followed(ONE, TOPIC, true, truth::get, always -> true))
                    .contains("better");
        }
    }

    @Test
    void whatNeedNotBeKnownSoon_takesItsTime_untilItIs() throws InterruptedException {
        try (WorkloadClusterPoller following = new WorkloadClusterPoller(clock, Duration.ofDays(1))) {
            following.onChange(woken::add);
            assertThat(following.followed(ONE, TOPIC, false, this::answer, always -> true))
                    .isEmpty();
            assertThat(woken.poll(300, TimeUnit.MILLISECONDS)).isNull();
            assertThat(following.followed(ONE, TOPIC, true, this::answer, always -> true))
                    .isEmpty();
            awaitWake();
            assertThat(following.followed(ONE, TOPIC, true, this::answer, always -> true))
                    .contains("good");
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void whenSomethingElseIsWanted_anOldAnswerIsDropped_andTheClusterAskedAtOnce() throws InterruptedException {
        try (WorkloadClusterPoller following = new WorkloadClusterPoller(clock, Duration.ofDays(1))) {
            following.onChange(woken::add);
            assertThat(following.followed(ONE, TOPIC, true, this::answer, "good"::equals))
                    .isEmpty();
            awaitWake();
            assertThat(following.followed(ONE, TOPIC, true, this::answer, "good"::equals))
                    .contains("good");

            truth.set("bad");
            assertThat(following.followed(ONE, TOPIC, true, this::answer, "better"::equals))
                    .as("an answer of the day before")
                    .isEmpty();
            awaitWake();
            assertThat(following.followed(ONE, TOPIC, true, this::answer, "better"::equals))
                    .as("unsettled, but of this moment")
                    .contains("bad");
        }
    }

    @Test
    void theSameAnswerAgain_wakesWhereItWasWaitedFor() throws InterruptedException {
        assertThat(fresh()).isEmpty();
        awaitWake();
        clock.advance(Duration.ofSeconds(11));
        assertThat(fresh()).isEmpty();
        awaitWake();
        assertThat(fresh()).isPresent();
        assertThat(asked).hasValue(2);
    }

    @Test
    void afterAChangeOfTheCluster_whatWasKnownIsForgotten() throws InterruptedException {
        assertThat(fresh()).isEmpty();
        awaitWake();
        truth.set("changed");
        CountDownLatch held = new CountDownLatch(1);
        answers.set(held);
        poller.renew(ONE, TOPIC);
        assertThat(fresh()).isEmpty();
        held.countDown();
        awaitWake();
        assertThat(fresh()).map(Observed::value).contains("changed");
    }

    /** A reconcile that waits for another change than the one before, on an answer that is still fresh. */
    @Test
    void aFreshAnswerThatDoesNotSettleThePresentQuestion_isFollowedByAnother() throws InterruptedException {
        assertThat(fresh()).isEmpty();
        awaitWake();
        assertThat(poller.fresh(ONE, TOPIC, this::answer, "better"::equals))
                .map(Observed::value)
                .contains("good");
        truth.set("better");
        awaitWake();
        assertThat(fresh()).map(Observed::value).contains("better");
    }

    @Test
    void aClusterThatAnswersSlowly_hasALastAnswer_thoughNeverAFreshOne_andThatIsSaid() throws InterruptedException {
        assertThat(poller.fresh(ONE, TOPIC, this::slowAnswer, never -> false)).isEmpty();
        awaitWake();
        assertThat(poller.fresh(ONE, TOPIC, this::slowAnswer, never -> false)).isEmpty();
        assertThat(poller.<String>last(ONE, TOPIC)).map(Observed::value).contains("good");
        assertThat(poller.<String>last(ONE, "another")).isEmpty();
        assertThat(poller.asking(ONE, TOPIC, "asking"))
                .isEqualTo("asking; its last answer took longer than 10 s, and an older one is not acted on:"
                        + " its API server is overloaded, or the way to it is slow");
        await().until(() -> fresh().isPresent());
        assertThat(poller.asking(ONE, TOPIC, "asking")).isEqualTo("asking");
    }

    @Test
    void aQuestionThatIsNotAskedAgain_ends() throws InterruptedException {
        assertThat(poller.fresh(ONE, TOPIC, this::answer, never -> false)).isEmpty();
        awaitWake();
        poller.keepOnly(ONE, Set.of());
        int before = asked.get();
        Semaphore others = new Semaphore(0);
        assertThat(poller.fresh(ANOTHER, TOPIC, () -> released(others), never -> false))
                .isEmpty();
        assertThat(others.tryAcquire(4, 10, TimeUnit.SECONDS))
                .as("after the same pauses, and one more")
                .isTrue();
        assertThat(asked.get() - before).as("one may have been under way").isLessThanOrEqualTo(1);
        assertThat(woken).doesNotContain(ONE);
    }

    private Optional<Observed<String>> fresh() {
        return poller.fresh(ONE, TOPIC, this::answer, always -> true);
    }

    private String slowAnswer() {
        clock.advance(Duration.ofSeconds(11));
        return answer();
    }

    private String answer() {
        asked.incrementAndGet();
        try {
            answers.get().await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return truth.get();
    }

    private static String released(Semaphore asked) {
        asked.release();
        return "unsettled";
    }

    private void awaitWake() throws InterruptedException {
        assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(ONE);
    }
}
