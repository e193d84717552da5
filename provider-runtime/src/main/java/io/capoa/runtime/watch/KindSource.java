package io.capoa.runtime.watch;

import io.capoa.runtime.threads.VirtualThreads;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Informer of a kind whose CustomResourceDefinition may be installed and removed at run time. While it is absent,
 * nothing is requested and the source is unhealthy; once it is installed, the informer starts and all primaries are
 * reconciled.
 */
public final class KindSource<R extends HasMetadata, P extends HasMetadata> extends WritableSource<R, P> {

    private static final Logger LOG = LoggerFactory.getLogger(KindSource.class);

    private final Class<R> kind;
    private final KubernetesClient server;
    private final IndexerResourceCache<P> primaries;
    private final boolean quiet;
    private final @Nullable String newer;
    private final ExecutorService changes = Executors.newSingleThreadExecutor(VirtualThreads.numbered("kind-"));
    private volatile @Nullable MissingKind absence;
    private volatile @Nullable CrdWatch definition;

    /**
     * A source for a kind.
     *
     * @param kept what the cache holds of an object; may change its argument
     * @param rights to watch the kind
     * @param filter of its events; {@code null} to hand on all
     * @param quiet whether its absence is not reported: the kind is optional, or another source reports it
     * @param newer the version that is watched in its place where it is served, if there is one
     */
    KindSource(
            Class<R> kind,
            InformerEventSourceConfiguration<R> configuration,
            EventSourceContext<P> context,
            UnaryOperator<R> kept,
            WatchRights rights,
            @Nullable ReadFilter<P, R> filter,
            boolean quiet,
            @Nullable String newer) {
        super(configuration, context, kept, rights, filter);
        this.quiet = quiet;
        this.newer = newer;
        this.kind = kind;
        this.server = context.getClient();
        this.primaries = context.getPrimaryCache();
    }

    /** Why the kind is not watched, if it is because the cluster does not serve it. */
    public Optional<MissingKind> absence() {
        return Optional.ofNullable(absence);
    }

    @Override
    public synchronized void start() {
        follow();
        definition = CrdWatch.watch(server, kind, this::changed);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public void stop() {
        end();
        changes.shutdownNow();
        CrdWatch watched = definition;
        if (watched != null) {
            watched.close();
        }
        stopWatching();
    }

    private void changed() {
        try {
            changes.execute(this::follow);
        } catch (RejectedExecutionException e) {
            LOG.debug("{} changes while its watch is being stopped", kind.getSimpleName());
        }
    }

    /** Watches if, and only if, the kind is served. */
    private synchronized void follow() {
        if (hasEnded()) {
            return;
        }
        MissingKind before = absence;
        MissingKind now = missing().orElse(null);
        absence = now;
        if (now != null) {
            if (!now.equals(before) && !quiet) {
                LOG.warn("Waiting: {}. No restart is needed then", now.sentence());
            }
            stopWatching();
        } else if (!isRunning()) {
            super.start();
            if (before != null) {
                LOG.info("Kind {} is installed and watched now", kind.getSimpleName());
                primaries.keys().forEach(primary -> getEventHandler().handleEvent(new Event(primary)));
            }
        }
    }

    private Optional<MissingKind> missing() {
        CrdWatch known = definition;
        if (known == null || !known.isKnown()) {
            return MissingKind.of(server, kind)
                    .or(() -> newer != null
                                    && MissingKind.isServed(
                                            server, HasMetadata.getGroup(kind) + "/" + newer, HasMetadata.getKind(kind))
                            ? Optional.of(MissingKind.of(kind, List.of(newer)))
                            : Optional.empty());
        }
        return newer != null && known.served().contains(newer)
                ? Optional.of(MissingKind.of(kind, List.of(newer)))
                : known.absence();
    }

    @Override
    public Optional<R> get(ResourceID id) {
        return isRunning() ? super.get(id) : Optional.empty();
    }

    @Override
    public Stream<R> list(String namespace, Predicate<R> predicate) {
        return isRunning() ? super.list(namespace, predicate) : Stream.empty();
    }

    @Override
    public Stream<R> list(Predicate<R> predicate) {
        return isRunning() ? super.list(predicate) : Stream.empty();
    }

    @Override
    public Stream<ResourceID> keys() {
        return isRunning() ? super.keys() : Stream.empty();
    }

    @Override
    public List<R> byIndex(String index, String key) {
        return isRunning() ? super.byIndex(index, key) : List.of();
    }
}
