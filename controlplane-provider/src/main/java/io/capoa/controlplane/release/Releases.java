package io.capoa.controlplane.release;

import io.capoa.runtime.untrusted.UntrustedContent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers which release an image is without making anybody wait: with what is known, or with a call to the listeners
 * once the registry has spoken.
 *
 * <p>A release is fetched once for all who ask with equal credentials, and not again once known. Each registry and each
 * namespace has a few places of its own, so that one that is slow delays no other. A failure is remembered and the registry asked
 * again after a growing pause, for as long as somebody keeps looking the release up.
 */
public final class Releases implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Releases.class);
    private static final Duration TAG_LIFETIME = Duration.ofHours(24);
    private static final int MOST_ATTEMPTS = 4_000;
    private static final int LONGEST_MESSAGE = 2_000;

    /** A question as far as it can have answers of its own. */
    private record Question(String image, String access, String credentials) {}

    /** The state of one question; guarded by the monitor of {@link Releases}. */
    private static final class Attempt {
        /** Of the first who asked: its places are used. */
        final String namespace;

        final Set<ResourceID> waiting = new HashSet<>();
        boolean running;
        boolean retryScheduled;
        int failures;
        Lookup.@Nullable Failed failed;

        Attempt(String namespace) {
            this.namespace = namespace;
        }
    }

    private final ReleaseResolver resolver;
    private final KnownReleases known;
    private final RegistryAccess managers;
    private final Clock clock;
    private final Backoff backoff;
    private final Lanes lanes = new Lanes();
    private final Map<Question, Attempt> attempts = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Consumer<ResourceID>> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService workers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("release-", 0).factory());
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("release-retry").factory());

    Releases(ReleaseResolver resolver, KnownReleases known, RegistryAccess managers, Clock clock, Backoff backoff) {
        this.resolver = resolver;
        this.known = known;
        this.managers = managers;
        this.clock = clock;
        this.backoff = backoff;
    }

    /**
     * The service as a manager runs it: asks real registries.
     *
     * @param managers how registries are reached where a cluster does not say otherwise
     */
    public static Releases start(RegistryAccess managers) {
        return start(managers, Clock.systemUTC(), Backoff.standard());
    }

    /** The same with other ideas of time, for tests. */
    public static Releases start(RegistryAccess managers, Clock clock, Backoff backoff) {
        return start(managers, clock, backoff, Limits.standard(), System.getenv());
    }

    static Releases start(
            RegistryAccess managers, Clock clock, Backoff backoff, Limits limits, Map<String, String> environment) {
        var known = new KnownReleases(clock, TAG_LIFETIME);
        var reader = new ReleaseReader(new RegistryClient(limits, environment, clock), known, limits);
        return new Releases(reader, known, managers, clock, backoff);
    }

    /** Calls the listener with whoever looked a release up without getting it, each time the registry has spoken. */
    public void onChange(Consumer<ResourceID> listener) {
        listeners.add(listener);
    }

    /**
     * What is known of a release; returns at once. Unless it is {@link Lookup.Known}, the listeners are called once with
     * {@code waiter} when there is news, and whoever still needs the release looks it up again then.
     */
    public Lookup lookup(ResourceID waiter, ReleaseRequest request) {
        ImageReference image;
        try {
            image = ImageReference.parse(request.image());
        } catch (IllegalArgumentException e) {
            return forGood(Lookup.Reason.RELEASE_IMAGE_INVALID, e.getMessage());
        }
        RegistryAccess access = access(request.access());
        Optional<KnownReleases.Found> found = known.find(image, access);
        if (found.isPresent() && !found.get().stale()) {
            return new Lookup.Known(found.get().release());
        }
        Optional<String> problem = request.pullSecret().problem();
        if (found.isEmpty() && problem.isPresent()) {
            return forGood(
                    Lookup.Reason.RELEASE_REGISTRY_UNAUTHORIZED,
                    "the pull secret for release image %s cannot be read: %s; correct the secret"
                            .formatted(image, problem.get()));
        }
        Lookup answer = ask(waiter, image, request.pullSecret(), access);
        // A tag that could not be looked at again still stands for what it stood for.
        return found.<Lookup>map(f -> new Lookup.Known(f.release())).orElse(answer);
    }

    /**
     * Tells of a release that was resolved before this process began, so that nobody asks the registry again. What is
     * known already counts more.
     *
     * @param image the reference that was resolved
     * @param access how registries were reached for it, as in {@link ReleaseRequest}
     * @param at when it was resolved
     */
    public void recall(String image, @Nullable RegistryAccess access, Release release, Instant at) {
        known.recall(ImageReference.parse(image), access(access), release, at);
    }

    private RegistryAccess access(@Nullable RegistryAccess clusters) {
        return clusters == null ? managers : clusters.over(managers);
    }

    private synchronized Lookup ask(
            ResourceID waiter, ImageReference image, PullSecret pullSecret, RegistryAccess access) {
        Question question = new Question(image.toString(), access.fingerprint(), pullSecret.fingerprint());
        Attempt attempt = attempts.computeIfAbsent(
                question, q -> new Attempt(waiter.getNamespace().orElse("")));
        attempt.waiting.add(waiter);
        Lookup.Failed failed = attempt.failed;
        if (!attempt.running) {
            if (failed == null || !clock.instant().isBefore(failed.retryAt())) {
                start(question, attempt, image, pullSecret, access);
            } else if (!attempt.retryScheduled) {
                attempt.retryScheduled = true;
                scheduleRetry(question, attempt, image, pullSecret, access, failed.retryAt());
            }
        }
        forgetTheEldest();
        return failed == null ? new Lookup.Pending() : failed;
    }

    private void start(
            Question question, Attempt attempt, ImageReference image, PullSecret pullSecret, RegistryAccess access) {
        if (workers.isShutdown()) {
            return;
        }
        attempt.running = true;
        workers.execute(() -> run(question, attempt, image, pullSecret, access));
    }

    private void scheduleRetry(
            Question question,
            Attempt attempt,
            ImageReference image,
            PullSecret pullSecret,
            RegistryAccess access,
            Instant at) {
        if (timer.isShutdown()) {
            return;
        }
        long pause = Math.max(0, Duration.between(clock.instant(), at).toMillis());
        var unused = timer.schedule(
                () -> {
                    synchronized (this) {
                        attempt.retryScheduled = false;
                        if (!attempt.running && !attempt.waiting.isEmpty()) {
                            start(question, attempt, image, pullSecret, access);
                        }
                    }
                },
                pause,
                TimeUnit.MILLISECONDS);
    }

    private void run(
            Question question, Attempt attempt, ImageReference image, PullSecret pullSecret, RegistryAccess access) {
        try {
            Release release = lanes.in(lanes(attempt, image, access), () -> resolve(image, pullSecret, access));
            LOG.info("release image {} is {}, Kubernetes {}", image, release.image(), release.kubernetesVersion());
            complete(question, attempt, null);
        } catch (RegistryException e) {
            failed(question, attempt, e.reason(), "%s: %s".formatted(image, e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("release image {} cannot be resolved", image, e);
            failed(
                    question,
                    attempt,
                    Lookup.Reason.RELEASE_IMAGE_INVALID,
                    "release image %s cannot be resolved: %s".formatted(image, e));
        }
    }

    private static List<Lanes.Lane> lanes(Attempt attempt, ImageReference image, RegistryAccess access) {
        return List.of(
                new Lanes.Lane("registry " + image.registry() + "|" + access.fingerprint(), Limits.PLACES_PER_REGISTRY),
                new Lanes.Lane("namespace " + attempt.namespace, Limits.PLACES_PER_NAMESPACE),
                new Lanes.Lane("all", Limits.PLACES));
    }

    private Release resolve(ImageReference image, PullSecret pullSecret, RegistryAccess access)
            throws RegistryException, InterruptedException {
        // Somebody with other credentials may have had the answer while this one waited for its place.
        Optional<KnownReleases.Found> meanwhile = known.find(image, access);
        if (meanwhile.isPresent() && !meanwhile.get().stale()) {
            return meanwhile.get().release();
        }
        Release release = resolver.resolve(image, pullSecret, access);
        known.remember(image, access, release);
        return release;
    }

    private void failed(Question question, Attempt attempt, Lookup.Reason reason, String message) {
        Lookup.Failed failed;
        synchronized (this) {
            attempt.failures++;
            // A registry's words are in it; thousands of failures are remembered, and each becomes a condition.
            String shown = UntrustedContent.quoted(message, LONGEST_MESSAGE);
            failed = new Lookup.Failed(reason, shown, clock.instant().plus(backoff.after(attempt.failures)));
            if (attempt.failures == 1) {
                LOG.warn("{}: {}", reason, shown);
            }
        }
        complete(question, attempt, failed);
    }

    private void complete(Question question, Attempt attempt, Lookup.@Nullable Failed failed) {
        List<ResourceID> waiting;
        synchronized (this) {
            attempt.running = false;
            attempt.failed = failed;
            waiting = List.copyOf(attempt.waiting);
            attempt.waiting.clear();
            if (failed == null) {
                attempts.remove(question, attempt);
            }
        }
        for (ResourceID waiter : waiting) {
            listeners.forEach(l -> tell(l, waiter));
        }
    }

    private static void tell(Consumer<ResourceID> listener, ResourceID waiter) {
        try {
            listener.accept(waiter);
        } catch (RuntimeException e) {
            LOG.error("a listener failed for {}", waiter, e);
        }
    }

    /** Drops failures nobody asked for in a long time. */
    private void forgetTheEldest() {
        Iterator<Attempt> eldest = attempts.values().iterator();
        while (attempts.size() > MOST_ATTEMPTS && eldest.hasNext()) {
            Attempt attempt = eldest.next();
            if (!attempt.running && !attempt.retryScheduled) {
                eldest.remove();
            }
        }
    }

    private static Lookup.Failed forGood(Lookup.Reason reason, @Nullable String message) {
        return new Lookup.Failed(reason, String.valueOf(message), Instant.MAX);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        workers.shutdownNow();
    }
}
