package io.capoa.bootstrap.config;

import io.capoa.api.Finalizers;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.contract.Agent;
import io.capoa.bootstrap.boot.AssistedService;
import io.capoa.bootstrap.boot.IgnitionDownloads;
import io.capoa.bootstrap.boot.Infrastructure;
import io.capoa.bootstrap.boot.ReplacedImages;
import io.capoa.bootstrap.config.ConfigObservation.PullSecret;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.runtime.assisted.ValidationGrace;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.status.StatusGathering;
import io.capoa.runtime.status.StatusWriter;
import io.capoa.runtime.watch.Awaited;
import io.capoa.runtime.watch.Wakeups;
import io.capoa.runtime.watch.Watches;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives every Machine its InfraEnv, its bootstrap data and its approved Agent. */
@ControllerConfiguration(name = "openshiftassistedconfig", finalizerName = Finalizers.CONFIG)
public final class ConfigReconciler implements Reconciler<OpenshiftAssistedConfig>, Cleaner<OpenshiftAssistedConfig> {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigReconciler.class);

    /** When to look again whether a kind is installed: nothing else says so while it has no objects. */
    private static final Duration KIND_IS_ABSENT = Duration.ofSeconds(5);

    /** After a change to an InfraEnv: assisted-service takes it over, which shows in nothing that it has to change. */
    private static final Duration MEDIA_ARE_RENEWED = Duration.ofMillis(500);

    private final KubernetesClient client;
    private final Duration patience;
    private final Applier applier;
    private final AssistedService service;
    private final EventRecorder events;
    private final Clock clock;
    private final PullSecrets pullSecrets;
    private final StatusGathering<OpenshiftAssistedConfigStatus> gathering;
    private final Wakeups<OpenshiftAssistedConfig> wakeups;
    private final Awaited<OpenshiftAssistedConfig> awaited;
    private final IgnitionDownloads downloads;
    private final ReplacedImages images;
    private final ValidationGrace grace;
    private @Nullable Watched watched;

    private record Watched(
            ConfigSources sources,
            ConfigObserver observer,
            ConfigWrites writes,
            HostWrites hosts,
            ConfigDeletion deletion) {}

    /**
     * Works through the client and writes under the field manager.
     *
     * @param wakeups by which the downloads wake a config
     * @param patience how long a host may take from the end of its provisioning until it registers
     */
    public ConfigReconciler(
            KubernetesClient client,
            String fieldManager,
            IgnitionDownloads downloads,
            Wakeups<OpenshiftAssistedConfig> wakeups,
            AssistedService service,
            Duration patience,
            EventRecorder events,
            Clock clock) {
        this.client = client;
        this.applier = new Applier(client, fieldManager);
        this.downloads = downloads;
        this.wakeups = wakeups;
        this.service = service;
        this.patience = patience;
        this.events = events;
        this.clock = clock;
        this.pullSecrets = new PullSecrets(client, applier, clock);
        this.gathering = ConfigReport.gathering(clock);
        this.images = new ReplacedImages(clock);
        this.grace = new ValidationGrace(clock);
        this.awaited = new Awaited<>(client);
    }

    @Override
    public List<EventSource<?, OpenshiftAssistedConfig>> prepareEventSources(
            EventSourceContext<OpenshiftAssistedConfig> context) {
        Watches<OpenshiftAssistedConfig> watches = new Watches<>(context);
        ConfigSources sources = ConfigSources.declare(watches);
        HostWrites hosts = new HostWrites(client, applier, sources);
        watched = new Watched(
                sources,
                new ConfigObserver(sources, pullSecrets, downloads, images, service),
                new ConfigWrites(client, applier, sources, pullSecrets, downloads),
                hosts,
                new ConfigDeletion(client, applier, sources, hosts));
        return watches.add(wakeups).add(awaited).toList();
    }

    @Override
    public UpdateControl<OpenshiftAssistedConfig> reconcile(
            OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context) {
        // 1. Observe.
        Optional<String> unknown = watched().sources().unknown();
        if (unknown.isPresent()) {
            return unwatched(config, unknown.get(), context);
        }
        ConfigObservation seen = watched().observer().observe(config);
        if (seen.paused()) {
            downloads.forget(ResourceID.fromResource(config));
            return report(config, ConfigReport.paused(config, clock), null, context);
        }

        // 2. Decide.
        LostHost lost = LostHost.of(seen, patience, clock.instant());
        ConfigPlan plan = ConfigPlan.of(seen).with(lost);

        // 3. Apply.
        Optional<Hindrance> conflict = watched().writes().apply(seen, plan);
        hosts(seen, plan, lost);
        awaited.waitFor(config, awaitedSecrets(seen, conflict.isPresent()));

        // 4. Report.
        ConfigPlan outcome = conflict.map(plan::withoutData).orElse(plan);
        Verdict checks = checks(config, plan.agents().choice().agent());
        return report(config, ConfigReport.of(seen, outcome, checks, clock), again(seen, plan, checks, lost), context);
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
        watched().hosts().reboot(seen, lost);
        if (seen.infrastructure() instanceof Infrastructure.Metal3 metal3 && metal3.host() != null) {
            watched()
                    .hosts()
                    .detachment(
                            metal3.host(),
                            Detachment.patch(seen, plan.agents().choice().agent()));
        }
    }

    /** When to look again although nothing may have changed; {@code null} where only changes count. */
    private @Nullable Duration again(ConfigObservation seen, ConfigPlan plan, Verdict checks, LostHost lost) {
        return Stream.of(
                        Optional.ofNullable(checks.left()),
                        Optional.ofNullable(imageExpected(seen, plan)),
                        Optional.ofNullable(lost.again()),
                        watched().writes().hasChangedMedia(seen, plan)
                                ? Optional.of(MEDIA_ARE_RENEWED)
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
            // The framework reports failed reconciles, and says nothing of a failed cleanup.
            failure(config, e, context).ifPresent(status -> write(config, status, context));
            throw e;
        }
    }

    private DeleteControl takeApart(OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context) {
        ResourceID id = ResourceID.fromResource(config);
        downloads.forget(id);
        images.forget(id);
        gathering.forget(id);
        grace.forget(id);
        awaited.waitFor(config, Set.of());
        Optional<String> rest =
                watched().deletion().proceed(watched().observer().observeDeleted(config));
        if (rest.isEmpty()) {
            watched().observer().forget(id);
            return DeleteControl.defaultDelete();
        }
        return StatusWriter.reportDeleting(
                config, ConfigReport.deleting(config, rest.get(), clock), OpenshiftAssistedConfig::new, context);
    }

    @Override
    public ErrorStatusUpdateControl<OpenshiftAssistedConfig> updateErrorStatus(
            OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context, Exception failure) {
        failure(config, failure, context).ifPresent(status -> {
            tell(config, status);
            write(config, status, context);
        });
        return ErrorStatusUpdateControl.noStatusUpdate();
    }

    /** The status after an exception; what mostly passes by itself is shown when it happens a second time in a row. */
    private Optional<OpenshiftAssistedConfigStatus> failure(
            OpenshiftAssistedConfig config, Exception failure, Context<OpenshiftAssistedConfig> context) {
        if (failure instanceof WriteFailure write) {
            return write.isConflict()
                    ? Optional.empty()
                    : Optional.of(ConfigReport.failed(config, write.conditionType(), write.hindrance(), clock));
        }
        boolean again = context.getRetryInfo()
                .filter(retry -> retry.getAttemptCount() > 0)
                .isPresent();
        return ReconcileFailure.of(failure, "bootstrap")
                .filter(known -> again || !known.transientFailure())
                .map(known -> ConfigReport.failed(
                        config, ConfigConditions.READY, new Hindrance(known.reason(), known.message()), clock));
    }

    /** The failure that is being reported counts, and not that its report failed as well. */
    private static void write(
            OpenshiftAssistedConfig config,
            OpenshiftAssistedConfigStatus status,
            Context<OpenshiftAssistedConfig> context) {
        try {
            var unused = StatusWriter.report(config, status, OpenshiftAssistedConfig::new, null, context);
        } catch (RuntimeException e) {
            LOG.debug("The failure cannot be written", e);
        }
    }

    /** A host that has booted is not to look unready because a watch is being renewed; a missing right is shown. */
    private UpdateControl<OpenshiftAssistedConfig> unwatched(
            OpenshiftAssistedConfig config, String why, Context<OpenshiftAssistedConfig> context) {
        Optional<String> forbidden = watched().sources().missingRight();
        if (ConfigObservation.latched(config) && forbidden.isEmpty()) {
            return UpdateControl.<OpenshiftAssistedConfig>noUpdate().rescheduleAfter(KIND_IS_ABSENT);
        }
        Hindrance absent = forbidden
                .map(right -> new Hindrance(FailureReasons.FORBIDDEN, right))
                .orElseGet(() -> new Hindrance(ConfigConditions.WAITING_FOR_ASSISTED_INSTALLER, "Waiting: " + why));
        return report(
                config,
                ConfigReport.failed(config, ConfigConditions.INFRA_ENV_READY, absent, clock),
                KIND_IS_ABSENT,
                context);
    }

    /** When to go on with the live ISO that there is, if no other has been published by then. */
    private @Nullable Duration imageExpected(ConfigObservation seen, ConfigPlan plan) {
        ResourceID id = ResourceID.fromResource(seen.config());
        String iso = seen.media().iso();
        if (plan.newImage() && iso != null) {
            images.expect(id, iso);
        }
        return images.left(id, iso).orElse(null);
    }

    /** The Secrets that are in the way or missing: they carry no label by which they were watched. */
    private static Set<Awaited.Target> awaitedSecrets(ConfigObservation seen, boolean conflict) {
        Set<Awaited.Target> awaited = new HashSet<>();
        String name = DesiredInfraEnv.pullSecretName(seen.config().getSpec());
        if (seen.asked().pullSecret() == PullSecret.INVALID
                || (seen.asked().pullSecret() == PullSecret.MISSING
                        && !name.equals(DesiredInfraEnv.PLACEHOLDER_PULL_SECRET))) {
            awaited.add(Awaited.Target.secret(seen.namespace(), name));
        }
        if (conflict) {
            awaited.add(Awaited.Target.secret(
                    seen.namespace(), seen.config().getMetadata().getName()));
        }
        return awaited;
    }

    private UpdateControl<OpenshiftAssistedConfig> report(
            OpenshiftAssistedConfig config,
            OpenshiftAssistedConfigStatus status,
            @Nullable Duration again,
            Context<OpenshiftAssistedConfig> context) {
        Optional<Duration> hold = gathering.hold(ResourceID.fromResource(config), config.getStatus(), status);
        if (hold.isPresent()) {
            return UpdateControl.<OpenshiftAssistedConfig>noUpdate().rescheduleAfter(hold.get());
        }
        tell(config, status);
        return StatusWriter.report(config, status, OpenshiftAssistedConfig::new, again, context);
    }

    private void tell(OpenshiftAssistedConfig config, OpenshiftAssistedConfigStatus next) {
        ConfigEvents.between(config.getStatus(), next).forEach(told -> events.tell(config, told));
    }

    private Watched watched() {
        return Objects.requireNonNull(watched, "event sources are declared before the first reconcile");
    }
}
