package io.capoa.controlplane.workload;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks installed clusters what cannot be watched from here, off the reconcile thread: again and again with growing pauses
 * until the answer settles the matter, and only while a control plane keeps asking. A new answer wakes it. Questions only
 * read: what changes a cluster is done in a reconcile.
 */
public final class Inquiries implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Inquiries.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(300);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration FOLLOWED_EVERY = Duration.ofMinutes(1);
    private static final double GROWTH = 1.5;

    private static final class Inquiry {
        private Supplier<?> question = () -> null;
        private Predicate<Object> settled = answer -> true;
        private @Nullable Duration period;
        private @Nullable Observed<Object> answer;
        private Instant notBefore = Instant.MIN;
        /** Counts what was scheduled: only the latest is asked. */
        private int turn;

        private boolean asking;
        private boolean wanted;
        private int asked;
        private boolean dropped;
    }

    private final Clock clock;
    private final Duration period;
    private final Map<ResourceID, Map<String, Inquiry>> inquiries = new HashMap<>();
    private final List<Consumer<ResourceID>> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService workers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("inquiry-", 0).factory());
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("inquiry-timer").factory());

    /** Tells the age of answers by the clock, and follows what changes by itself with a minute's delay. */
    public Inquiries(Clock clock) {
        this(clock, FOLLOWED_EVERY);
    }

    /**
     * Tells the age of answers by the clock.
     *
     * @param period after which a question that is followed is asked again
     */
    public Inquiries(Clock clock, Duration period) {
        this.clock = clock;
        this.period = period;
    }

    /** Calls the listener with the control plane that has a new answer. */
    public void onChange(Consumer<ResourceID> listener) {
        listeners.add(listener);
    }

    /**
     * The latest answer, however old; empty until there is one.
     *
     * @param topic tells the question from others of the same control plane
     * @param first how long to wait before it is asked for the first time
     * @param question blocks until it is answered, and changes nothing; the answer is compared by value
     * @param settled whether it need not be asked again
     */
    public synchronized <T> Optional<T> latest(
            ResourceID controlPlane, String topic, Duration first, Supplier<T> question, Predicate<T> settled) {
        return asked(controlPlane, topic, first, question, settled).map(Observed::value);
    }

    /**
     * The latest answer to a question that is asked again after a period, for as long as reconciles ask; empty until there
     * is one. For what changes in the cluster by itself, and of which nothing tells.
     *
     * @param topic tells the question from others of the same control plane
     * @param question blocks until it is answered, and changes nothing; the answer is compared by value
     */
    public synchronized <T> Optional<T> followed(ResourceID controlPlane, String topic, Supplier<T> question) {
        Optional<T> answer = asked(controlPlane, topic, Duration.ZERO, question, (T known) -> true)
                .map(Observed::value);
        Inquiry known = inquiries.getOrDefault(controlPlane, Map.of()).get(topic);
        if (known != null) {
            known.period = period;
        }
        return answer;
    }

    /**
     * The latest answer if it is fresh enough for a destructive decision; else empty, and the question is asked at once,
     * whose answer wakes the control plane also if it is the same.
     */
    public synchronized <T> Optional<Observed<T>> fresh(
            ResourceID controlPlane, String topic, Supplier<T> question, Predicate<T> settled) {
        Optional<Observed<T>> answer = asked(controlPlane, topic, Duration.ZERO, question, settled)
                .filter(known -> known.isFresh(clock.instant()));
        if (answer.isEmpty()) {
            askNow(controlPlane, topic);
        }
        return answer;
    }

    /**
     * The last answer to a question that is being asked, however old: for an answer that permits nothing, and says why. A
     * cluster that answers slowly never has a fresh one.
     */
    @SuppressWarnings("unchecked")
    public synchronized <T> Optional<Observed<T>> last(ResourceID controlPlane, String topic) {
        Inquiry known = inquiries.getOrDefault(controlPlane, Map.of()).get(topic);
        return known == null ? Optional.empty() : Optional.ofNullable((Observed<T>) known.answer);
    }

    /** What is known of the topic is out of date: it is asked again at once. Call it after each change of a cluster. */
    public synchronized void renew(ResourceID controlPlane, String topic) {
        Inquiry known = inquiries.getOrDefault(controlPlane, Map.of()).get(topic);
        if (known != null) {
            known.answer = null;
            known.notBefore = clock.instant();
            known.asked = 0;
            askNow(controlPlane, topic);
        }
    }

    private void askNow(ResourceID controlPlane, String topic) {
        Inquiry known = inquiries.getOrDefault(controlPlane, Map.of()).get(topic);
        if (known == null) {
            return;
        }
        known.wanted = true;
        if (!known.asking) {
            schedule(controlPlane, known, Duration.ZERO);
        }
    }

    @SuppressWarnings("unchecked")
    private <T> Optional<Observed<T>> asked(
            ResourceID controlPlane, String topic, Duration first, Supplier<T> question, Predicate<T> settled) {
        Map<String, Inquiry> topics = inquiries.computeIfAbsent(controlPlane, unknown -> new HashMap<>());
        Inquiry known = topics.get(topic);
        if (known == null) {
            known = new Inquiry();
            topics.put(topic, known);
            schedule(controlPlane, known, first);
        }
        known.question = question;
        known.settled = (Predicate<Object>) settled;
        return Optional.ofNullable((Observed<T>) known.answer);
    }

    /** Forgets all questions of a control plane but these. Call it at the end of each reconcile. */
    public synchronized void keepOnly(ResourceID controlPlane, Set<String> topics) {
        Map<String, Inquiry> all = inquiries.get(controlPlane);
        if (all == null) {
            return;
        }
        for (String topic : new HashSet<>(all.keySet())) {
            if (!topics.contains(topic)) {
                Inquiry gone = all.remove(topic);
                if (gone != null) {
                    gone.dropped = true;
                }
            }
        }
        if (all.isEmpty()) {
            inquiries.remove(controlPlane);
        }
    }

    private void schedule(ResourceID controlPlane, Inquiry inquiry, Duration pause) {
        int turn = ++inquiry.turn;
        try {
            var unused = timer.schedule(
                    () -> workers.execute(() -> ask(controlPlane, inquiry, turn)),
                    pause.toMillis(),
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            LOG.debug("No more questions: the manager stops");
        }
    }

    private void ask(ResourceID controlPlane, Inquiry inquiry, int turn) {
        Supplier<?> question;
        synchronized (this) {
            if (inquiry.dropped || inquiry.turn != turn) {
                return;
            }
            inquiry.asking = true;
            question = inquiry.question;
        }
        Instant begun = clock.instant();
        Object answer = null;
        try {
            answer = question.get();
        } catch (RuntimeException e) {
            LOG.warn("A question to the cluster of {} failed", controlPlane, e);
        }
        if (take(controlPlane, inquiry, answer, begun)) {
            listeners.forEach(listener -> listener.accept(controlPlane));
        }
    }

    /** Whether it is news. */
    private synchronized boolean take(
            ResourceID controlPlane, Inquiry inquiry, @Nullable Object answer, Instant begun) {
        inquiry.asking = false;
        if (inquiry.dropped) {
            return false;
        }
        if (answer != null && begun.isBefore(inquiry.notBefore)) {
            schedule(controlPlane, inquiry, Duration.ZERO);
            return false;
        }
        boolean news =
                answer != null && (inquiry.wanted || inquiry.answer == null || !answer.equals(inquiry.answer.value()));
        if (answer != null) {
            inquiry.answer = new Observed<>(answer, begun);
            inquiry.wanted = false;
        }
        if (inquiry.period != null && inquiry.answer != null) {
            schedule(controlPlane, inquiry, jittered((double) inquiry.period.toMillis()));
        } else if (answer == null || !inquiry.settled.test(answer)) {
            schedule(controlPlane, inquiry, pause(inquiry.asked++));
        }
        return news;
    }

    /** Grows, and is never quite the same, so that a hundred clusters are not asked at once. */
    static Duration pause(int asked) {
        double millis =
                Math.min((double) LONGEST_PAUSE.toMillis(), (double) FIRST_PAUSE.toMillis() * Math.pow(GROWTH, asked));
        return jittered(millis);
    }

    private static Duration jittered(double millis) {
        return Duration.ofMillis((long) (millis * ThreadLocalRandom.current().nextDouble(0.8, 1.0)));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdownNow();
    }
}
