package io.capoa.controlplane.workload.client;

import io.capoa.runtime.lookup.Answer;
import io.capoa.runtime.lookup.AsyncLookup;
import io.capoa.runtime.lookup.LookupSource;
import io.capoa.runtime.lookup.Repetition;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls workload clusters for what no informer covers, off the reconcile threads. A query is repeated with growing pauses
 * until its answer is settled, and only while reconciles keep requesting it. A changed answer requeues the control plane.
 * Queries only read; a reconcile makes the changes.
 */
public final class WorkloadClusterPoller implements AutoCloseable {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(300);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    /** Usual period of the repetition of observed queries. */
    public static final Duration OBSERVED_EVERY = Duration.ofMinutes(1);

    /** An upgrade takes an hour: what begins it need not be noticed at once. */
    private static final int PERIODS_OF_FOLLOWED = 3;

    private static final double GROWTH = 1.5;

    private record Topic(ResourceID controlPlane, String name) {}

    /**
     * A query to one cluster.
     *
     * @param period of its repetition; {@code null} for a query that ends with a settled answer
     */
    private record Query(
            Supplier<?> read,
            Predicate<Object> settled,
            @Nullable Duration period) {

        boolean isSettledBy(Answer<Object> answer) {
            return settled.test(answer.value());
        }
    }

    private final Clock clock;
    private final Duration period;
    private final AsyncLookup<Topic, Query, Object> lookup;
    private final Map<ResourceID, String> kubeconfigs = new ConcurrentHashMap<>();
    private final List<Consumer<ResourceID>> listeners = new CopyOnWriteArrayList<>();

    /** Measures the age of answers by the clock; observed queries are repeated about every minute. */
    public WorkloadClusterPoller(Clock clock) {
        this(clock, OBSERVED_EVERY);
    }

    /**
     * Measures the age of answers by the clock.
     *
     * @param period of the repetition of observed queries; followed ones are repeated after three of them
     */
    public WorkloadClusterPoller(Clock clock, Duration period) {
        this.clock = clock;
        this.period = period;
        this.lookup = AsyncLookup.start("query", new Clusters(), Repetition.ALWAYS, clock);
    }

    /** Measures the age of answers. */
    public Clock clock() {
        return clock;
    }

    /** Names the kubeconfig of a control plane; the client of an earlier one is closed. */
    public void use(ResourceID controlPlane, @Nullable String kubeconfig) {
        String before =
                kubeconfig == null ? kubeconfigs.remove(controlPlane) : kubeconfigs.put(controlPlane, kubeconfig);
        if (before != null && !before.equals(kubeconfig)) {
            WorkloadClusterAccess.retire(before);
        }
    }

    /** Ends all queries of a control plane that is gone, and closes its client. */
    public void forget(ResourceID controlPlane) {
        keepOnly(controlPlane, Set.of());
        use(controlPlane, null);
    }

    /** Calls the listener with the control plane that has a new answer. */
    public void onChange(Consumer<ResourceID> listener) {
        listeners.add(listener);
    }

    /**
     * The latest answer, however old; empty until there is one.
     *
     * @param topic distinguishes the queries of one control plane
     * @param first pause before the first attempt
     * @param read blocks until it has the answer, and changes nothing; answers are compared by value
     * @param settled whether the query need not be repeated
     */
    public <T> Optional<T> latest(
            ResourceID controlPlane, String topic, Duration first, Supplier<T> read, Predicate<T> settled) {
        return lookup.request(new Topic(controlPlane, topic), query(read, settled, null), first)
                .map(WorkloadClusterPoller::<T>observed)
                .map(Observed::value);
    }

    /**
     * The latest answer with the time at which it was asked for, of a query that is repeated after each period; empty until
     * there is one. An answer that is not settled is followed by the next after growing pauses instead of the period.
     *
     * @param soon whether the first attempt is made at once, even if an earlier request let it take its time; otherwise
     *     within the period, so that a manager that starts does not ask all its clusters at the same time
     */
    public <T> Optional<Observed<T>> observed(
            ResourceID controlPlane, String topic, boolean soon, Supplier<T> read, Predicate<T> settled) {
        return repeated(new Topic(controlPlane, topic), soon, period, read, settled);
    }

    /**
     * The latest answer to a query that is repeated after a few periods; empty until there is one. For what seldom changes in
     * the workload cluster, and without a notification. An answer that settled an earlier query and does not settle this one,
     * because something else is wanted now, is dropped, and the cluster asked at once.
     *
     * @param topic distinguishes the queries of one control plane
     * @param soon as of {@link #observed}
     * @param read blocks until it has the answer, and changes nothing; answers are compared by value
     * @param settled whether the answer is expected to stay; one that is not is followed by the next after growing pauses
     *     instead of the period
     */
    public <T> Optional<T> followed(
            ResourceID controlPlane, String topic, boolean soon, Supplier<T> read, Predicate<T> settled) {
        Duration seldom = period.multipliedBy(PERIODS_OF_FOLLOWED);
        return repeated(new Topic(controlPlane, topic), soon, seldom, read, settled)
                .map(Observed::value);
    }

    private <T> Optional<Observed<T>> repeated(
            Topic topic, boolean soon, Duration every, Supplier<T> read, Predicate<T> settled) {
        Duration first = soon
                ? Duration.ZERO
                : Duration.ofMillis(ThreadLocalRandom.current().nextLong(every.toMillis()));
        Optional<Query> earlier = lookup.query(topic);
        Query query = query(read, settled, every);
        Optional<Answer<Object>> answer = lookup.request(topic, query, first);
        if (soon) {
            lookup.askFirstNow(topic);
        }
        if (answer.isPresent()
                && !query.isSettledBy(answer.get())
                && earlier.filter(before -> before.isSettledBy(answer.get())).isPresent()) {
            // It may be as old as the period, and the next one would come as late.
            lookup.restart(topic);
            return Optional.empty();
        }
        return answer.map(WorkloadClusterPoller::observed);
    }

    /**
     * The latest answer if it is fresh enough for a destructive decision; otherwise empty, and the cluster is queried at
     * once, whose answer requeues the control plane even if it is the same.
     */
    public <T> Optional<Observed<T>> fresh(
            ResourceID controlPlane, String topic, Supplier<T> read, Predicate<T> settled) {
        return fresh(new Topic(controlPlane, topic), query(read, settled, null));
    }

    /** As the other, of a query that is under way; empty if none is. */
    public <T> Optional<Observed<T>> fresh(ResourceID controlPlane, String topic) {
        Topic key = new Topic(controlPlane, topic);
        return lookup.query(key).flatMap(query -> fresh(key, query));
    }

    private <T> Optional<Observed<T>> fresh(Topic topic, Query query) {
        return lookup.requestFresh(
                        topic,
                        query,
                        known -> WorkloadClusterPoller.observed(known).isFresh(clock.instant()))
                .map(WorkloadClusterPoller::observed);
    }

    /**
     * The latest answer to a query that is under way, however old: for an answer that permits nothing and explains why. A
     * cluster that answers slowly never has a fresh one.
     */
    public <T> Optional<Observed<T>> last(ResourceID controlPlane, String topic) {
        return lookup.answer(new Topic(controlPlane, topic)).map(WorkloadClusterPoller::observed);
    }

    /**
     * The description of a wait for a fresh answer, with the reason why none comes if the latest took longer than it may be
     * old.
     *
     * @param what is asked, as in "asking the cluster about its node"
     */
    public String asking(ResourceID controlPlane, String topic, String what) {
        boolean slow = lookup.answer(new Topic(controlPlane, topic))
                .filter(answer -> answer.took().compareTo(Observed.LONGEST_AGE) > 0)
                .isPresent();
        return slow
                ? "%s; its last answer took longer than %d s, and an older one is not acted on: its API server is overloaded, or the way to it is slow"
                        .formatted(what, Observed.LONGEST_AGE.toSeconds())
                : what;
    }

    /** Drops the topic's answer and queries the cluster at once. Call it after each change of a cluster. */
    public void renew(ResourceID controlPlane, String topic) {
        lookup.restart(new Topic(controlPlane, topic));
    }

    /** Ends all queries of a control plane but these. Call it at the end of each reconcile. */
    public void keepOnly(ResourceID controlPlane, Set<String> topics) {
        lookup.forgetAll(topic -> topic.controlPlane.equals(controlPlane) && !topics.contains(topic.name));
    }

    @SuppressWarnings("unchecked")
    private static <T> Query query(Supplier<T> read, Predicate<T> settled, @Nullable Duration period) {
        return new Query(read, (Predicate<Object>) settled, period);
    }

    @SuppressWarnings("unchecked")
    private static <T> Observed<T> observed(Answer<Object> answer) {
        return new Observed<>((T) answer.value(), answer.at());
    }

    /** Grows with each attempt; jittered, so that a hundred clusters are not queried at once. */
    static Duration pause(int unsettled) {
        double millis = Math.min(
                (double) LONGEST_PAUSE.toMillis(), (double) FIRST_PAUSE.toMillis() * Math.pow(GROWTH, unsettled));
        return jittered(millis);
    }

    private static Duration jittered(double millis) {
        return Duration.ofMillis((long) (millis * ThreadLocalRandom.current().nextDouble(0.8, 1.0)));
    }

    /** A fifth shorter to a fifth longer. */
    static Duration spread(Duration period) {
        return Duration.ofMillis(
                (long) ((double) period.toMillis() * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
    }

    @Override
    public void close() {
        lookup.close();
        kubeconfigs.values().forEach(WorkloadClusterAccess::retire);
        kubeconfigs.clear();
    }

    private final class Clusters implements LookupSource<Topic, Query, Object> {

        @Override
        public void ask(Topic topic, Query query, int unsettled, Consumer<@Nullable Object> done) {
            done.accept(query.read.get());
        }

        @Override
        public Optional<Duration> again(Query query, @Nullable Object latest, @Nullable Object kept, int unsettled) {
            if (query.period != null && kept != null && query.settled.test(kept)) {
                return Optional.of(spread(query.period));
            }
            return latest != null && query.settled.test(latest) ? Optional.empty() : Optional.of(pause(unsettled));
        }

        @Override
        public void changed(Topic topic) {
            listeners.forEach(listener -> listener.accept(topic.controlPlane));
        }
    }
}
