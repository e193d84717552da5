package io.capoa.controlplane.release;

import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.rules.ImageReference;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.lookup.Answer;
import io.capoa.runtime.lookup.AsyncLookup;
import io.capoa.runtime.lookup.LookupResult;
import io.capoa.runtime.lookup.LookupSource;
import io.capoa.runtime.lookup.Repetition;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves release images without blocking a reconcile: returns what is known, and calls the listeners when the registry
 * has answered.
 *
 * <p>A release is fetched once for all requests with equal credentials, and not again once known. Each registry and each
 * namespace has a few places, so that a slow one delays no other. A failure is kept, and the registry is asked again after
 * a growing pause, for as long as the release is requested.
 */
public final class Releases implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Releases.class);
    private static final Duration TAG_LIFETIME = Duration.ofHours(24);
    private static final int MOST_LOOKUPS = 4_000;
    private static final int LONGEST_MESSAGE = 2_000;

    /** Requests with equal keys get the same answer. */
    private record Key(String image, String access, String credentials) {}

    /**
     * A request to a registry.
     *
     * @param namespace of the first waiter: it uses that namespace's places
     */
    private record Query(ImageReference image, PullSecret pullSecret, RegistryAccess access, String namespace) {}

    private final ReleaseResolver resolver;
    private final KnownReleases known;
    private final RegistryAccess managers;
    private final Clock clock;
    private final RegistryBackoff backoff;
    private final Bulkheads lanes = new Bulkheads();
    private final AsyncLookup<Key, Query, LookupResult<Release>> lookups;
    private final Map<Key, Set<ResourceID>> waiting = new HashMap<>();
    private final List<Consumer<ResourceID>> listeners = new CopyOnWriteArrayList<>();

    Releases(
            ReleaseResolver resolver,
            KnownReleases known,
            RegistryAccess managers,
            Clock clock,
            RegistryBackoff backoff) {
        this.resolver = resolver;
        this.known = known;
        this.managers = managers;
        this.clock = clock;
        this.backoff = backoff;
        this.lookups = AsyncLookup.start("release", new Registries(), Repetition.ON_REQUEST, clock);
    }

    /**
     * The service as a manager runs it: asks real registries.
     *
     * @param managers how registries are reached where a cluster does not say otherwise
     */
    public static Releases start(RegistryAccess managers) {
        return start(managers, Clock.systemUTC(), RegistryBackoff.standard());
    }

    /** The same with other ideas of time, for tests. */
    public static Releases start(RegistryAccess managers, Clock clock, RegistryBackoff backoff) {
        return start(managers, clock, backoff, RegistryLimits.standard(), System.getenv());
    }

    static Releases start(
            RegistryAccess managers,
            Clock clock,
            RegistryBackoff backoff,
            RegistryLimits limits,
            Map<String, String> environment) {
        var known = new KnownReleases(clock, TAG_LIFETIME);
        var reader = new ReleaseReader(new RegistryClient(limits, environment, clock), known, limits);
        return new Releases(reader, known, managers, clock, backoff);
    }

    /** Calls the listener with each resource that waits for a release, whenever a registry has answered. */
    public void onChange(Consumer<ResourceID> listener) {
        listeners.add(listener);
    }

    /**
     * What is known of a release; returns at once. Unless it is {@link LookupResult.Known}, the listeners are called once with
     * {@code waiter} when there is another answer; a waiter that still needs the release then looks it up again.
     */
    public LookupResult<Release> lookup(ResourceID waiter, ReleaseRequest request) {
        ImageReference image;
        try {
            image = ImageReference.parse(request.image());
        } catch (IllegalArgumentException e) {
            return forGood(ControlPlaneConditions.RELEASE_IMAGE_INVALID, e.getMessage());
        }
        RegistryAccess access = access(request.access());
        Optional<KnownReleases.Hit> found = known.find(image, access);
        if (found.isPresent() && !found.get().stale()) {
            return new LookupResult.Known<>(found.get().release());
        }
        Optional<String> problem = request.pullSecret().problem();
        if (found.isEmpty() && problem.isPresent()) {
            return forGood(
                    ControlPlaneConditions.RELEASE_REGISTRY_UNAUTHORIZED,
                    "the pull secret for release image %s cannot be read: %s; correct the secret"
                            .formatted(image, problem.get()));
        }
        LookupResult<Release> answer = ask(waiter, image, request.pullSecret(), access);
        // A tag that could not be resolved again keeps its last release.
        return found.<LookupResult<Release>>map(f -> new LookupResult.Known<>(f.release()))
                .orElse(answer);
    }

    /**
     * Adds a release that was resolved before this process began, so that the registry is not asked again. It does not
     * replace a known release.
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

    private synchronized LookupResult<Release> ask(
            ResourceID waiter, ImageReference image, PullSecret pullSecret, RegistryAccess access) {
        Key key = new Key(image.toString(), access.fingerprint(), pullSecret.fingerprint());
        String namespace = lookups.query(key)
                .map(Query::namespace)
                .orElseGet(() -> waiter.getNamespace().orElse(""));
        waiting.computeIfAbsent(key, unknown -> new HashSet<>()).add(waiter);
        Optional<Answer<LookupResult<Release>>> answer =
                lookups.request(key, new Query(image, pullSecret, access, namespace), Duration.ZERO);
        lookups.trim(MOST_LOOKUPS);
        return answer.map(Answer::value).orElseGet(LookupResult.Pending::new);
    }

    private synchronized Set<ResourceID> takeWaiting(Key key) {
        Set<ResourceID> waiters = waiting.remove(key);
        return waiters == null ? Set.of() : waiters;
    }

    private final class Registries implements LookupSource<Key, Query, LookupResult<Release>> {

        @Override
        public void ask(Key key, Query query, int unsettled, Consumer<@Nullable LookupResult<Release>> done) {
            ImageReference image = query.image;
            try {
                Release release = lanes.in(lanes(query), () -> resolve(query));
                LOG.info("release image {} is {}, Kubernetes {}", image, release.image(), release.kubernetesVersion());
                done.accept(new LookupResult.Known<>(release));
            } catch (RegistryException e) {
                done.accept(failed(unsettled + 1, e.reason(), "%s: %s".formatted(image, e.getMessage())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.error("release image {} cannot be resolved", image, e);
                String message = "release image %s cannot be resolved: %s".formatted(image, e);
                done.accept(failed(unsettled + 1, ControlPlaneConditions.RELEASE_IMAGE_INVALID, message));
            }
        }

        @Override
        public Optional<Duration> again(
                Query query,
                @Nullable LookupResult<Release> latest,
                @Nullable LookupResult<Release> kept,
                int unsettled) {
            return LookupResult.pause(latest, clock.instant());
        }

        @Override
        public void changed(Key key) {
            boolean resolved = lookups.answer(key)
                    .filter(answer -> answer.value() instanceof LookupResult.Known<Release>)
                    .isPresent();
            if (resolved) {
                // KnownReleases has it from now on.
                lookups.forget(key);
            }
            for (ResourceID waiter : takeWaiting(key)) {
                listeners.forEach(listener -> notify(listener, waiter));
            }
        }

        private static void notify(Consumer<ResourceID> listener, ResourceID waiter) {
            try {
                listener.accept(waiter);
            } catch (RuntimeException e) {
                LOG.error("a listener failed for {}", waiter, e);
            }
        }
    }

    private static List<Bulkheads.Lane> lanes(Query query) {
        String registry = query.image.registry() + "|" + query.access.fingerprint();
        return List.of(
                new Bulkheads.Lane("registry " + registry, RegistryLimits.PLACES_PER_REGISTRY),
                new Bulkheads.Lane("namespace " + query.namespace, RegistryLimits.PLACES_PER_NAMESPACE),
                new Bulkheads.Lane("all", RegistryLimits.PLACES));
    }

    private Release resolve(Query query) throws RegistryException, InterruptedException {
        // A lookup with other credentials may have resolved it while this one waited for its place.
        Optional<KnownReleases.Hit> meanwhile = known.find(query.image, query.access);
        if (meanwhile.isPresent() && !meanwhile.get().stale()) {
            return meanwhile.get().release();
        }
        Release release = resolver.resolve(query.image, query.pullSecret, query.access);
        known.remember(query.image, query.access, release);
        return release;
    }

    private LookupResult.Failed<Release> failed(int failures, String reason, String message) {
        // The message quotes the registry; thousands of failures are kept, and each becomes a condition.
        String shown = UntrustedContent.quoted(message, LONGEST_MESSAGE);
        if (failures == 1) {
            LOG.warn("{}: {}", reason, shown);
        }
        return new LookupResult.Failed<>(reason, shown, clock.instant().plus(backoff.after(failures)));
    }

    private static LookupResult.Failed<Release> forGood(String reason, @Nullable String message) {
        return new LookupResult.Failed<>(reason, String.valueOf(message), Instant.MAX);
    }

    @Override
    public void close() {
        lookups.close();
    }
}
