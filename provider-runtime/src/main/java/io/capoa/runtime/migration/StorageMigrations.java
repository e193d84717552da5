package io.capoa.runtime.migration;

import io.capoa.runtime.failure.ReconcileFailure;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates the stored objects of the provider's own CRDs, one after the other, while this process leads: soon after the
 * start, again with growing pauses until nothing is left to do, and then now and then.
 */
public final class StorageMigrations implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StorageMigrations.class);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    /** A new CRD comes with a new release, which starts the process again, or soon after it. */
    private static final Duration PERIOD = Duration.ofMinutes(10);

    private final StorageMigration migration;
    private final BooleanSupplier leading;
    private final MeterRegistry meters;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("storage-migration").factory());
    private final Map<String, Boolean> pending = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Migrations through the client.
     *
     * @param skipped phases that others do, or nobody
     * @param leading whether this process may write
     */
    public StorageMigrations(
            KubernetesClient client,
            String fieldManager,
            Set<MigrationPhase> skipped,
            BooleanSupplier leading,
            MeterRegistry meters) {
        this.migration = new StorageMigration(client, fieldManager, skipped, () -> !closed && leading.getAsBoolean());
        this.leading = leading;
        this.meters = meters;
    }

    /** Begins with the CRD of a kind. */
    public void begin(Class<? extends HasMetadata> kind) {
        String crd = HasMetadata.getFullResourceName(kind);
        String version = HasMetadata.getVersion(kind);
        pending.put(crd, true);
        Gauge.builder("capoa.storage.migration.pending", () -> Boolean.TRUE.equals(pending.get(crd)) ? 1 : 0)
                .description("1 until the objects of the CRD are stored in the newest version alone, else 0")
                .tag("crd", crd)
                .register(meters);
        schedule(crd, version, FIRST_PAUSE, FIRST_PAUSE);
    }

    private void attempt(String crd, String version, Duration pause) {
        if (!leading.getAsBoolean()) {
            schedule(crd, version, FIRST_PAUSE, FIRST_PAUSE);
            return;
        }
        boolean done = run(crd, version, pause);
        pending.put(crd, !done);
        Duration longer = pause.multipliedBy(2);
        if (done) {
            schedule(crd, version, PERIOD, FIRST_PAUSE);
        } else {
            schedule(crd, version, pause, longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE);
        }
    }

    private boolean run(String crd, String version, Duration pause) {
        try {
            return migration.run(
                    crd,
                    version,
                    phase -> Counter.builder("capoa.storage.migration.objects")
                            .description("Objects that a phase of the storage migration has gone through")
                            .tag("crd", crd)
                            .tag("phase", phase.toString())
                            .register(meters)
                            .increment());
        } catch (RuntimeException e) {
            if (!closed) {
                LOG.warn(
                        "Objects of {} may still be stored in older versions; again in {} s: {}",
                        crd,
                        pause.toSeconds(),
                        e instanceof KubernetesClientException refused
                                ? ReconcileFailure.of(refused).message()
                                : e.getMessage());
                LOG.debug("Cause", e);
            }
        }
        return false;
    }

    private void schedule(String crd, String version, Duration pause, Duration next) {
        try {
            var unused = timer.schedule(() -> attempt(crd, version, next), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            LOG.debug("No more attempts: the manager stops");
        }
    }

    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
    }
}
