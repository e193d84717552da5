package io.capoa.runtime.lookup;

import io.capoa.runtime.threads.VirtualThreads;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks values up off the reconcile threads: one running attempt a key, repeated after the source's pauses, the latest
 * answer kept until the key is forgotten.
 */
public final class AsyncLookup<K, Q, V> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncLookup.class);

    /** The state of one key; guarded by the lookup's monitor. */
    private static final class Entry<Q, V> {
        private Q query;
        private @Nullable Answer<V> answer;
        private Instant notBefore = Instant.MIN;
        private @Nullable Instant due;
        /** Counts scheduled attempts: only the latest runs. */
        private int turn;

        private boolean scheduled;
        private boolean attempted;
        private boolean running;
        private boolean refreshed;
        private boolean forgotten;
        private int unsettled;

        private Entry(Q query) {
            this.query = query;
        }
    }

    private final LookupSource<K, Q, V> source;
    private final Repetition repetition;
    private final Clock clock;
    private final ExecutorService workers;
    private final ScheduledExecutorService timer;
    private final Map<K, Entry<Q, V>> entries = new LinkedHashMap<>(16, 0.75f, true);

    AsyncLookup(
            LookupSource<K, Q, V> source,
            Repetition repetition,
            Clock clock,
            ExecutorService workers,
            ScheduledExecutorService timer) {
        this.source = source;
        this.repetition = repetition;
        this.clock = clock;
        this.workers = workers;
        this.timer = timer;
    }

    /**
     * A lookup with threads of its own.
     *
     * @param name prefix of the threads' names
     */
    public static <K, Q, V> AsyncLookup<K, Q, V> start(
            String name, LookupSource<K, Q, V> source, Repetition repetition, Clock clock) {
        return new AsyncLookup<>(
                source,
                repetition,
                clock,
                VirtualThreads.perTask(name + "-"),
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name(name + "-timer").factory()));
    }

    /**
     * The latest answer, however old; empty until there is one. The first request schedules the first attempt; the
     * query serves all later attempts, which begin again if an earlier query was settled and this one is not.
     *
     * @param first pause before the first attempt
     */
    public synchronized Optional<Answer<V>> request(K key, Q query, Duration first) {
        Entry<Q, V> entry = entries.get(key);
        if (entry == null) {
            entry = new Entry<>(query);
            entries.put(key, entry);
            schedule(key, entry, first);
        }
        entry.query = query;
        if (!entry.scheduled && !entry.running) {
            resume(key, entry);
        }
        return Optional.ofNullable(entry.answer);
    }

    /** Schedules the attempt that is due, or the next one if the kept answer does not settle the present query. */
    private void resume(K key, Entry<Q, V> entry) {
        if (entry.due != null) {
            schedule(key, entry, Duration.between(clock.instant(), entry.due));
        } else if (entry.answer != null) {
            V kept = entry.answer.value();
            source.again(entry.query, kept, kept, 0).ifPresent(pause -> {
                entry.unsettled = 0;
                repeat(key, entry, pause);
            });
        }
    }

    /** The latest answer if it is fresh; otherwise empty, and the next answer {@link #refresh counts as changed}. */
    public synchronized Optional<Answer<V>> requestFresh(K key, Q query, Predicate<Answer<V>> fresh) {
        Optional<Answer<V>> answer = request(key, query, Duration.ZERO).filter(fresh);
        if (answer.isEmpty()) {
            refresh(key);
        }
        return answer;
    }

    /** The latest answer without a request. */
    public synchronized Optional<Answer<V>> answer(K key) {
        return Optional.ofNullable(entries.get(key)).map(entry -> entry.answer);
    }

    /** The query that was requested last; empty for an unknown key. */
    public synchronized Optional<Q> query(K key) {
        return Optional.ofNullable(entries.get(key)).map(entry -> entry.query);
    }

    /** Asks at once unless an attempt is running. The next answer counts as changed. */
    public synchronized void refresh(K key) {
        Entry<Q, V> entry = entries.get(key);
        if (entry != null) {
            entry.refreshed = true;
            if (!entry.running) {
                schedule(key, entry, Duration.ZERO);
            }
        }
    }

    /** Asks at once if the first attempt is still to come. */
    public synchronized void askFirstNow(K key) {
        Entry<Q, V> entry = entries.get(key);
        if (entry != null && !entry.attempted) {
            schedule(key, entry, Duration.ZERO);
        }
    }

    /** Drops the answer and asks at once, with the shortest pauses; a running attempt does not count. */
    public synchronized void restart(K key) {
        Entry<Q, V> entry = entries.get(key);
        if (entry != null) {
            entry.answer = null;
            restart(key, entry);
        }
    }

    /** As {@link #restart} for each key with such an answer, which is kept until the next one arrives. */
    public synchronized void restartAll(Predicate<V> answer) {
        Map.copyOf(entries).forEach((key, entry) -> {
            if (entry.answer != null && answer.test(entry.answer.value())) {
                restart(key, entry);
            }
        });
    }

    private void restart(K key, Entry<Q, V> entry) {
        entry.notBefore = clock.instant();
        entry.unsettled = 0;
        refresh(key);
    }

    /** Ends the attempts of these keys and drops their answers. */
    public synchronized void forgetAll(Predicate<K> forgotten) {
        entries.entrySet().removeIf(known -> {
            known.getValue().forgotten = forgotten.test(known.getKey());
            return known.getValue().forgotten;
        });
    }

    /** Ends the key's attempts and drops its answer. */
    public synchronized void forget(K key) {
        Entry<Q, V> entry = entries.remove(key);
        if (entry != null) {
            entry.forgotten = true;
        }
    }

    /** Forgets the least recently requested keys beyond this number, but none with an attempt running or scheduled. */
    public synchronized void trim(int most) {
        Iterator<Entry<Q, V>> eldest = entries.values().iterator();
        while (entries.size() > most && eldest.hasNext()) {
            Entry<Q, V> entry = eldest.next();
            if (!entry.running && !entry.scheduled) {
                entry.forgotten = true;
                eldest.remove();
            }
        }
    }

    private void schedule(K key, Entry<Q, V> entry, Duration pause) {
        int turn = ++entry.turn;
        entry.scheduled = true;
        try {
            var unused = timer.schedule(
                    () -> workers.execute(() -> attempt(key, entry, turn)), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            LOG.debug("No more attempts: the manager stops");
        }
    }

    private void attempt(K key, Entry<Q, V> entry, int turn) {
        Q query;
        int unsettled;
        synchronized (this) {
            if (entry.forgotten || entry.turn != turn) {
                return;
            }
            entry.scheduled = false;
            entry.attempted = true;
            entry.running = true;
            query = entry.query;
            unsettled = entry.unsettled;
        }
        Instant begun = clock.instant();
        try {
            source.ask(key, query, unsettled, answer -> finish(key, entry, answer, begun));
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            LOG.warn("The lookup of {} failed", key, e);
            finish(key, entry, null, begun);
        }
    }

    private void finish(K key, Entry<Q, V> entry, @Nullable V answer, Instant begun) {
        if (take(key, entry, answer, begun)) {
            try {
                source.changed(key);
            } catch (RuntimeException e) {
                LOG.error("The listener for {} failed", key, e);
            }
        }
    }

    /** Whether the answer has changed. */
    private synchronized boolean take(K key, Entry<Q, V> entry, @Nullable V value, Instant begun) {
        entry.running = false;
        if (entry.forgotten) {
            return false;
        }
        if (value != null && begun.isBefore(entry.notBefore)) {
            schedule(key, entry, Duration.ZERO);
            return false;
        }
        Answer<V> before = entry.answer;
        boolean changed = value != null && (entry.refreshed || before == null || !value.equals(before.value()));
        if (value != null) {
            entry.answer = new Answer<>(value, begun, Duration.between(begun, clock.instant()));
            entry.refreshed = false;
        }
        V kept = entry.answer == null ? null : entry.answer.value();
        source.again(entry.query, value, kept, entry.unsettled)
                .ifPresentOrElse(pause -> repeat(key, entry, pause), () -> entry.due = null);
        return changed;
    }

    private void repeat(K key, Entry<Q, V> entry, Duration pause) {
        entry.unsettled++;
        if (repetition == Repetition.ALWAYS) {
            schedule(key, entry, pause);
        } else {
            entry.due = clock.instant().plus(pause);
        }
    }

    @Override
    public synchronized void close() {
        forgetAll(key -> true);
        timer.shutdownNow();
        workers.shutdownNow();
    }
}
