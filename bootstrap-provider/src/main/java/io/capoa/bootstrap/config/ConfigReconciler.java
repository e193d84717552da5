package io.capoa.bootstrap.config;

import io.capoa.api.Finalizers;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.contract.Agent;
import io.capoa.api.rules.MissingFields;
import io.capoa.bootstrap.agent.FailedValidations;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.bootstrap.boot.AssistedServiceAddress;
import io.capoa.bootstrap.boot.IgnitionDownloads;
import io.capoa.bootstrap.boot.IsoRefreshes;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigObservation.PullSecret;
import io.capoa.bootstrap.config.observe.ConfigObserver;
import io.capoa.bootstrap.config.observe.ConfigSources;
import io.capoa.bootstrap.config.observe.PullSecrets;
import io.capoa.bootstrap.config.plan.ConfigPlan;
import io.capoa.bootstrap.config.plan.Detachment;
import io.capoa.bootstrap.config.plan.HostShutdown;
import io.capoa.bootstrap.config.plan.LostHost;
import io.capoa.bootstrap.config.plan.UserDataLimits;
import io.capoa.bootstrap.config.report.ConfigReport;
import io.capoa.bootstrap.config.write.ConfigDeletion;
import io.capoa.bootstrap.config.write.ConfigWrites;
import io.capoa.bootstrap.config.write.HostWrites;
import io.capoa.bootstrap.config.write.WriteFailure;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.runtime.assisted.ValidationGrace;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.manager.Staged;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.StatusReporter;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.NamedObjectEventSource;
import io.capoa.runtime.watch.RemovalEventSource;
import io.capoa.runtime.watch.TriggerEventSource;
import io.capoa.runtime.watch.Unwatched;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles an OpenshiftAssistedConfig: the Machine's InfraEnv, boot media, bootstrap data Secret and Agent, and the
 * status.
 */
@ControllerConfiguration(name = "openshiftassistedconfig", finalizerName = Finalizers.CONFIG)
public final class ConfigReconciler
        implements Reconciler<OpenshiftAssistedConfig>,
                Cleaner<OpenshiftAssistedConfig>,
                Staged<OpenshiftAssistedConfig> {

    /** Requeue delay while a kind is not served: no informer runs yet that could requeue. */
    private static final Duration KIND_IS_ABSENT = Duration.ofSeconds(5);

    /** After a change of an InfraEnv: its own writes do not requeue, and its status need not change with the media. */
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final KubernetesClient client;
    private final Duration patience;
    private final Applier applier;
    private final AssistedServiceAddress service;
    private final Clock clock;
    private final PullSecrets pullSecrets;
    private final StatusReporter<OpenshiftAssistedConfigStatus, OpenshiftAssistedConfig> reporter;
    private final TriggerEventSource<OpenshiftAssistedConfig> downloaded;
    private final NamedObjectEventSource<OpenshiftAssistedConfig> namedObjects;
    private final IgnitionDownloads downloads;
    private final IsoRefreshes images;
    private final ValidationGrace grace;
    private final RemovalEventSource<OpenshiftAssistedConfig> removals = new RemovalEventSource<>(this::forget);
    private @Nullable Watched watched;

    private record Watched(
            ConfigSources sources,
            ConfigObserver observer,
            ConfigWrites writes,
            HostWrites hosts,
            ConfigDeletion deletion) {}

    /**
     * Creates the reconciler.
     *
     * @param downloaded event source that the downloads trigger
     * @param patience how long a host may take from the end of its provisioning until it registers
     */
    public ConfigReconciler(
            KubernetesClient client,
            String fieldManager,
            IgnitionDownloads downloads,
            TriggerEventSource<OpenshiftAssistedConfig> downloaded,
            AssistedServiceAddress service,
            Duration patience,
            EventRecorder events,
            Clock clock) {
        this.client = client;
        this.applier = new Applier(client, fieldManager);
        this.downloads = downloads;
        this.downloaded = downloaded;
        this.service = service;
        this.patience = patience;
        this.clock = clock;
        this.pullSecrets = new PullSecrets(client, applier, clock);
        this.reporter = ConfigReport.reporter(events, clock);
        this.images = new IsoRefreshes(clock);
        this.grace = new ValidationGrace(clock);
        this.namedObjects = new NamedObjectEventSource<>(client);
    }

    @Override
    public List<EventSource<?, OpenshiftAssistedConfig>> prepareEventSources(
            EventSourceContext<OpenshiftAssistedConfig> context) {
        EventSources<OpenshiftAssistedConfig> eventSources = new EventSources<>(context);
        ConfigSources sources = ConfigSources.declare(eventSources);
        HostWrites hosts = new HostWrites(client, applier, sources);
        watched = new Watched(
                sources,
                new ConfigObserver(sources, pullSecrets, downloads, images, service),
                new ConfigWrites(client, applier, sources, pullSecrets, downloads),
                hosts,
                new ConfigDeletion(client, applier, sources, hosts));
        return eventSources
                .add(downloaded)
                .add(reporter.due())
                .add(namedObjects)
                .add(removals)
                .toList();
    }

    @Override
    public UpdateControl<OpenshiftAssistedConfig> reconcile(
            OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context) {
        try {
            return proceed(config, context);
        } finally {
            removals.reconciled(config, context);
        }
    }

    private UpdateControl<OpenshiftAssistedConfig> proceed(
            OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context) {
        // 1. Observe.
        Unwatched unwatched = watched().sources().all().unwatched();
        if (!unwatched.isEmpty()) {
            return unwatched(config, unwatched, context);
        }
        Optional<String> unusable = MissingFields.of(config);
        if (unusable.isPresent()) {
            downloads.forget(ResourceID.fromResource(config));
            Blocker blocker = new Blocker(
                    ConfigConditions.INVALID_CONFIGURATION,
                    MissingFields.withRemedy(
                            unusable.get(),
                            "it cannot be changed; correct the template that the config was made from, and replace the"
                                    + " Machine"));
            return reporter.unusable(
                    config,
                    ConfigReport.failed(config, ConfigConditions.INFRA_ENV_READY, blocker, clock),
                    blocker,
                    context);
        }
        ConfigObservation seen = watched().observer().observe(config);
        if (seen.paused()) {
            downloads.forget(ResourceID.fromResource(config));
            return reporter.report(config, ConfigReport.paused(config, clock), null, context);
        }

        // 2. Decide.
        LostHost lost = LostHost.of(seen, patience, clock.instant());
        ConfigPlan plan = ConfigPlan.of(seen).with(lost);

        // 3. Apply.
        Optional<Blocker> conflict = watched().writes().apply(seen, plan);
        if (conflict.isEmpty()) {
            UserDataLimits.warning(seen, plan.data()).ifPresent(event -> reporter.warn(config, event));
        }
        hosts(seen, plan, lost);
        namedObjects.waitFor(config, awaitedSecrets(seen, conflict.isPresent()));

        // 4. Report.
        ConfigPlan outcome = conflict.map(plan::withoutData).orElse(plan);
        Verdict checks = checks(config, plan.agents().choice().agent());
        return reporter.report(
                config, ConfigReport.of(seen, outcome, checks, clock), again(seen, plan, checks, lost), context);
    }

    @Override
    public int stage(OpenshiftAssistedConfig config) {
        return ConfigReport.stage(config);
    }

    private Verdict checks(OpenshiftAssistedConfig config, @Nullable Agent agent) {
        ResourceID id = ResourceID.fromResource(config);
        if (agent == null) {
            grace.forget(id);
            return Verdict.PASSING;
        }
        return grace.judge(
                id,
                agent,
                HostReport.failing(agent),
                ConfigReport.hasReported(config, ConfigConditions.AGENT_VALIDATION_FAILED),
                FailedValidations::settles);
    }

    private void hosts(ConfigObservation seen, ConfigPlan plan, LostHost lost) {
        watched().hosts().recover(seen, lost);
        watched()
                .hosts()
                .detachment(seen, Detachment.patch(seen, plan.agents().choice().agent()));
        watched().hosts().powerOff(seen, HostShutdown.patch(seen));
    }

    /** Delay until the next reconcile without an event; {@code null} if only events matter. */
    private @Nullable Duration again(ConfigObservation seen, ConfigPlan plan, Verdict checks, LostHost lost) {
        return Stream.of(
                        Optional.ofNullable(checks.left()),
                        Optional.ofNullable(imageExpected(seen, plan)),
                        Optional.ofNullable(lost.again()),
                        watched().writes().hasChangedMedia(seen, plan)
                                ? Optional.of(AT_ONCE)
                                : Optional.<Duration>empty())
                .flatMap(Optional::stream)
                .min(Duration::compareTo)
                .orElse(null);
    }

    @Override
    public DeleteControl cleanup(OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context) {
        try {
            return takeApart(config, context);
        } catch (RuntimeException e) {
            // JOSDK calls updateErrorStatus for failed reconciles only.
            failure(config, e, context).ifPresent(status -> reporter.failed(config, status, context));
            throw e;
        }
    }

    private DeleteControl takeApart(OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context) {
        stop(config);
        return watched()
                .deletion()
                .proceed(watched().observer().observeDeleted(config))
                .map(rest -> reporter.deleting(config, ConfigReport.deleting(config, rest, clock), context))
                .orElseGet(() -> {
                    forget(config);
                    return DeleteControl.defaultDelete();
                });
    }

    /** Ends what goes on between reconciles. */
    private void stop(OpenshiftAssistedConfig config) {
        ResourceID id = ResourceID.fromResource(config);
        downloads.forget(id);
        images.forget(id);
        reporter.forget(config);
        grace.forget(id);
        namedObjects.waitFor(config, Set.of());
    }

    private void forget(OpenshiftAssistedConfig config) {
        stop(config);
        watched().observer().forget(ResourceID.fromResource(config));
    }

    @Override
    public ErrorStatusUpdateControl<OpenshiftAssistedConfig> updateErrorStatus(
            OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context, Exception failure) {
        failure(config, failure, context).ifPresent(status -> {
            reporter.record(config, status);
            reporter.failed(config, status, context);
        });
        return ErrorStatusUpdateControl.noStatusUpdate();
    }

    /** The status after an exception, if it is to be reported. */
    private Optional<OpenshiftAssistedConfigStatus> failure(
            OpenshiftAssistedConfig config, Exception failure, Context<OpenshiftAssistedConfig> context) {
        if (failure instanceof WriteFailure write) {
            return write.isConflict()
                    ? Optional.empty()
                    : Optional.of(ConfigReport.failed(config, write.conditionType(), write.blocker(), clock));
        }
        return reporter.blocker(failure, context)
                .map(blocker -> ConfigReport.failed(config, ConfigConditions.READY, blocker, clock));
    }

    /** Reports a kind that is not watched. A host that has booted stays ready unless a right is missing. */
    private UpdateControl<OpenshiftAssistedConfig> unwatched(
            OpenshiftAssistedConfig config, Unwatched kinds, Context<OpenshiftAssistedConfig> context) {
        Optional<String> forbidden = kinds.forbidden().stream().findFirst();
        if (ConfigObservation.latched(config) && forbidden.isEmpty()) {
            return UpdateControl.<OpenshiftAssistedConfig>noUpdate().rescheduleAfter(KIND_IS_ABSENT);
        }
        Blocker absent = forbidden
                .map(right -> new Blocker(FailureReasons.FORBIDDEN, right))
                .orElseGet(() -> new Blocker(
                        ConfigConditions.WAITING_FOR_ASSISTED_INSTALLER,
                        "Waiting: " + kinds.reason().orElse("")));
        return reporter.report(
                config,
                ConfigReport.failed(config, ConfigConditions.INFRA_ENV_READY, absent, clock),
                KIND_IS_ABSENT,
                context);
    }

    /** How long to wait for a new live ISO before the current one is used; {@code null} if none is expected. */
    private @Nullable Duration imageExpected(ConfigObservation seen, ConfigPlan plan) {
        ResourceID id = ResourceID.fromResource(seen.config());
        String iso = seen.media().iso();
        if (plan.newImage() && iso != null) {
            images.expect(id, iso);
        }
        return images.left(id, iso).orElse(null);
    }

    /** Secrets that are missing or in conflict: they lack the label that the informer selects. */
    private static Set<NamedObjectEventSource.Target> awaitedSecrets(ConfigObservation seen, boolean conflict) {
        Set<NamedObjectEventSource.Target> namedObjects = new HashSet<>();
        String name = DesiredInfraEnv.pullSecretName(seen.config().getSpec());
        if (seen.asked().pullSecret() == PullSecret.INVALID
                || (seen.asked().pullSecret() == PullSecret.MISSING
                        && !name.equals(DesiredInfraEnv.PLACEHOLDER_PULL_SECRET))) {
            namedObjects.add(NamedObjectEventSource.Target.secret(seen.namespace(), name));
        }
        if (conflict) {
            namedObjects.add(NamedObjectEventSource.Target.secret(
                    seen.namespace(), seen.config().getMetadata().getName()));
        }
        return namedObjects;
    }

    private Watched watched() {
        return Objects.requireNonNull(watched, "event sources are declared before the first reconcile");
    }
}
