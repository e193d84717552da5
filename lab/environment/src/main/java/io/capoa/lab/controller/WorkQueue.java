package io.capoa.lab.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A level-triggered work queue: one thread at a time reconciles a key, an event meanwhile requeues it, and a failure
 * requeues it with back-off.
 */
public final class WorkQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** Debounces the events that follow a reconcile, most of which its own writes caused. */
    private static final Duration BURST = Duration.ofMillis(10);

    /** Reconciles one object. */
    @FunctionalInterface
    public interface Step {
        /** Reconciles the key; returns the requeue delay, or {@code null} to wait for an event. */
        @Nullable
        Duration work(Key key) throws Exception;
    }

    private final String name;
    private final Step step;
    private final ExecutorService workers;
    private final ScheduledExecutorService timer;
    private final Map<Key, Integer> failures = new ConcurrentHashMap<>();
    private final Set<Key> running = new HashSet<>();
    private final Set<Key> again = new HashSet<>();
    private volatile boolean closed;

    public WorkQueue(String name, Step step) {
        this.name = name;
        this.step = step;
        this.workers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name(name + "-", 0).factory());
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name + "-timer").factory());
    }

    /** Enqueues the keys that the function derives from a changed object. */
    public <R extends HasMetadata> WorkQueue watch(Caches.Cache<R> cache, Function<R, ? extends Collection<Key>> keys) {
        cache.onChange(resource -> keys.apply(resource).forEach(this::enqueue));
        return this;
    }

    /** Enqueues the changed objects of the kind. */
    public <R extends HasMetadata> WorkQueue watch(Caches.Cache<R> cache) {
        return watch(cache, resource -> Set.of(Key.of(resource)));
    }

    public void enqueue(Key key) {
        synchronized (running) {
            if (closed) {
                return;
            }
            if (!running.add(key)) {
                again.add(key);
                return;
            }
        }
        workers.execute(() -> run(key));
    }

    public void enqueueAfter(Key key, Duration delay) {
        if (!closed) {
            var unused = timer.schedule(() -> enqueue(key), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void run(Key key) {
        boolean repeat = false;
        do {
            if (repeat && !rested()) {
                return;
            }
            synchronized (running) {
                again.remove(key);
            }
            try {
                Duration next = step.work(key);
                failures.remove(key);
                if (next != null) {
                    enqueueAfter(key, next);
                }
            } catch (Exception e) {
                retry(key, e);
            }
            synchronized (running) {
                repeat = again.contains(key) && !closed;
                if (!repeat) {
                    running.remove(key);
                }
            }
        } while (repeat);
    }

    private static boolean rested() {
        try {
            Thread.sleep(BURST);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void retry(Key key, Exception cause) {
        if (closed) {
            return;
        }
        int tries = failures.merge(key, 1, Integer::sum);
        if (cause instanceof KubernetesClientException e
                && (e.getCode() == HttpURLConnection.HTTP_CONFLICT
                        || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND)) {
            // The cached object was stale: changed or deleted concurrently.
            LOG.debug("{} {}: stale, requeued", name, key);
        } else {
            LOG.warn("{} {}: {}, requeued", name, key, cause.toString(), LOG.isDebugEnabled() ? cause : null);
        }
        long pause = Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(tries - 1, 10));
        enqueueAfter(key, Duration.ofMillis(pause));
    }

    @Override
    public void close() {
        synchronized (running) {
            closed = true;
        }
        timer.shutdownNow();
        workers.shutdownNow();
    }
}
