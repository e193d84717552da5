package io.capoa.runtime.manager;

import io.capoa.api.ReadInPart;
import io.capoa.runtime.health.ReadinessProbe;
import io.capoa.runtime.migration.StorageMigrations;
import io.capoa.runtime.options.ManagerOptions;
import io.capoa.runtime.options.WatchScope;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.LimitedStore;
import io.capoa.runtime.webhook.AdmissionHandler;
import io.capoa.runtime.webhook.Validator;
import io.capoa.runtime.webhook.WebhookHandler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers a provider's reconcilers with the operator, with the same configuration for all. */
record Registrations(
        ManagerDescription description,
        ManagerOptions options,
        Operator operator,
        MeterRegistry meters,
        ReadinessProbe readiness,
        Closers closers,
        Map<String, WebhookHandler> webhooks,
        BooleanSupplier leading)
        implements Registrar {

    private static final Logger log = LoggerFactory.getLogger(Registrations.class);

    private static final Duration FIRST_RETRY = Duration.ofMillis(5);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(2);

    /** Several peers write at once what a primary reads. Its first two reconciles are not delayed: the second follows a write. */
    private static final Duration BURST = Duration.ofMillis(100);

    private static final int RECONCILES_PER_BURST = 2;

    @Override
    public WatchScope scope() {
        return options.scope();
    }

    @Override
    public KubernetesClient client() {
        return operator.getConfigurationService().getKubernetesClient();
    }

    @Override
    public boolean isLeading() {
        return leading.getAsBoolean();
    }

    @Override
    public <P extends HasMetadata> void register(Reconciler<P> reconciler) {
        var annotated = operator.getConfigurationService().getConfigurationFor(reconciler);
        var overrider = ControllerConfigurationOverrider.override(annotated);
        scope().applyTo(overrider);
        overrider
                .withGenerationAware(false)
                .withRetry(new ReconcileBackoff(
                        FIRST_RETRY,
                        LONGEST_RETRY,
                        () -> ThreadLocalRandom.current().nextDouble()))
                .withRateLimiter(new LinearRateLimiter(BURST, RECONCILES_PER_BURST))
                .withReconciliationMaxInterval(null)
                .withInformerListLimit(EventSources.PAGE)
                .withFieldManager(description.fieldManager());
        if (ReadInPart.class.isAssignableFrom(annotated.getResourceClass())
                && scope().namespaces().size() <= 1) {
            // Where several namespaces are watched one by one, they would share the one store.
            overrider.withItemStore(LimitedStore.whole());
        }
        var effective = overrider.build();
        operator.register(NamedReconciler.of(effective.getName(), reconciler, options.syncPeriod()), effective);
    }

    @Override
    public <R extends HasMetadata> void validate(Class<R> kind, Validator<R> validator) {
        serve(AdmissionHandler.path(kind), new AdmissionHandler<>(kind, validator));
    }

    @Override
    public void migrate(List<Class<? extends HasMetadata>> kinds) {
        if (!scope().namespaces().isEmpty()) {
            log.info("Stored objects are not migrated: --namespace leaves out those of other namespaces");
            return;
        }
        var migrations = new StorageMigrations(
                client(), description.fieldManager(), options.skippedMigrationPhases(), leading, meters);
        closers.add(migrations);
        kinds.forEach(migrations::begin);
    }

    @Override
    public void serve(String path, WebhookHandler handler) {
        webhooks.put(path, handler);
    }

    @Override
    public void addReadyCheck(String name, Supplier<Optional<String>> problem) {
        readiness.add(name, problem);
    }

    @Override
    public void closeAtStop(AutoCloseable resource) {
        closers.add(resource);
    }
}
