package io.capoa.controlplane.controlplane;

import io.capoa.api.Finalizers;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.release.Releases;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.status.StatusWriter;
import io.capoa.runtime.watch.Awaited;
import io.capoa.runtime.watch.Awaited.Target;
import io.capoa.runtime.watch.Wakeups;
import io.capoa.runtime.watch.Watches;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes of an OpenshiftAssistedControlPlane an installation, its Machines, and access to what was installed. */
@ControllerConfiguration(
        name = "openshiftassistedcontrolplane",
        finalizerName = Finalizers.CONTROL_PLANE,
        generationAwareEventProcessing = false)
public final class ControlPlaneReconciler
        implements Reconciler<OpenshiftAssistedControlPlane>, Cleaner<OpenshiftAssistedControlPlane> {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPlaneReconciler.class);

    /** While a CRD is absent there is nothing to watch for. */
    private static final Duration UNTIL_KINDS_ARE_KNOWN = Duration.ofSeconds(2);
    /** The API server refused a write: only another attempt shows whether it still does. */
    private static final Duration UNTIL_NEXT_ATTEMPT = Duration.ofSeconds(10);

    /** What is applied together arrives and finds its owner within this time; creation times have whole seconds. */
    private static final Duration APPLIED_WITHIN = Duration.ofSeconds(2);

    private static final Duration REGISTRY_ANSWERS_WITHIN = Duration.ofMillis(500);

    private static final Duration BURST = Duration.ofMillis(200);
    private static final int REPORTS_PER_BURST = 2;

    private final KubernetesClient client;
    private final Applier applier;
    private final Releases releases;
    private final Contracts contracts;
    private final Clock clock;
    private final StatusReport report;
    private final Awaited<OpenshiftAssistedControlPlane> awaited;
    private final Map<ResourceID, Instant> askedSince = new ConcurrentHashMap<>();
    private @Nullable Steps steps;

    /** What can be built only when the watched kinds are declared. */
    private record Steps(
            ControlPlaneSources sources,
            InputsStep inputs,
            ReleaseResolution release,
            InstallStep install,
            MachineStep machines,
            KubeconfigStep kubeconfig,
            UpToDateStep upToDate,
            ControlPlaneDeletion deletion) {}

    public ControlPlaneReconciler(KubernetesClient client, Applier applier, Releases releases, Clock clock) {
        this.client = client;
        this.applier = applier;
        this.releases = releases;
        this.contracts = new Contracts(client, clock);
        this.clock = clock;
        this.report = new StatusReport(clock);
        this.awaited = new Awaited<>(client);
    }

    /**
     * How the reconciler is to be run: what happens in quick succession (Machines that become ready one after the other)
     * is reported in one write, and the first two causes are acted on at once.
     */
    public static void configure(ControllerConfigurationOverrider<OpenshiftAssistedControlPlane> configuration) {
        configuration.withRateLimiter(new LinearRateLimiter(BURST, REPORTS_PER_BURST));
    }

    @Override
    public List<EventSource<?, OpenshiftAssistedControlPlane>> prepareEventSources(
            EventSourceContext<OpenshiftAssistedControlPlane> context) {
        Watches<OpenshiftAssistedControlPlane> watches = new Watches<>(context);
        ControlPlaneSources sources = new ControlPlaneSources(watches);
        Wakeups<OpenshiftAssistedControlPlane> registryAnswers = new Wakeups<>("releases");
        releases.onChange(registryAnswers::wake);
        ImageSetStep imageSets = new ImageSetStep(sources, applier);
        steps = new Steps(
                sources,
                new InputsStep(this::configMap),
                new ReleaseResolution(this::secret, sources::imageSetsOf, releases),
                new InstallStep(sources, client, applier, imageSets),
                new MachineStep(sources, client, contracts, applier),
                new KubeconfigStep(sources, this::secret, applier),
                new UpToDateStep(sources, applier, clock),
                new ControlPlaneDeletion(applier, imageSets));
        return watches.add(registryAnswers).add(awaited).toList();
    }

    @Override
    public UpdateControl<OpenshiftAssistedControlPlane> reconcile(
            OpenshiftAssistedControlPlane controlPlane, Context<OpenshiftAssistedControlPlane> context) {
        // 1. Observe.
        Steps step = Objects.requireNonNull(steps, "event sources are prepared first");
        List<String> unknown = step.sources().unknown();
        if (!unknown.isEmpty()) {
            LOG.info("Nothing can be decided while these kinds are not watched: {}", unknown);
            return UpdateControl.<OpenshiftAssistedControlPlane>noUpdate().rescheduleAfter(UNTIL_KINDS_ARE_KNOWN);
        }
        ControlPlaneObservation observation = step.sources().observe(controlPlane);
        if (observation.paused()) {
            return end(controlPlane, report.paused(observation), Set.of(), null);
        }

        // 2. Decide whether anything can be made yet.
        return switch (Preflight.of(observation)) {
            case Preflight.Wait ignored when isNew(controlPlane) ->
                UpdateControl.<OpenshiftAssistedControlPlane>noUpdate().rescheduleAfter(APPLIED_WITHIN);
            case Preflight.Wait wait ->
                end(controlPlane, report.waiting(observation, wait.reason(), wait.message()), Set.of(), null);
            case Preflight.Unsupported unsupported ->
                end(
                        controlPlane,
                        report.waiting(
                                observation, ControlPlaneConditions.MACHINE_GENERATION_FAILED, unsupported.message()),
                        Set.of(),
                        null);
            case Preflight.Clear clear -> make(step, observation, clear);
        };
    }

    private UpdateControl<OpenshiftAssistedControlPlane> make(
            Steps step, ControlPlaneObservation observation, Preflight.Clear clear) {
        OpenshiftAssistedControlPlane controlPlane = observation.controlPlane();

        // 3. Read what users hand in, and find the release: from what is remembered, else from the registry, which
        // answers later.
        InputsStep.Inputs inputs = step.inputs().read(observation);
        ReleaseState release = step.release().resolve(observation, inputs);
        if (release instanceof ReleaseState.NoCredentials missing && observation.install() == null) {
            Target secret = Target.secret(observation.identity().namespace(), missing.secret());
            return end(
                    controlPlane,
                    report.waiting(observation, missing.reason(), missing.message()),
                    Set.of(secret),
                    null);
        }

        // 4. Write what is installed from, and 5. the Machines it is installed on.
        InstallStep.Outcome install = step.install().apply(observation, clear.cluster(), inputs, release);
        MachineStep.Outcome machines = step.machines().create(observation, clear.cluster());

        // 6. Hand on the kubeconfig.
        KubeconfigStep.Outcome kubeconfig = step.kubeconfig().apply(observation);

        // 7. Look at what there is now, and say of each Machine whether it is up to date.
        ControlPlaneObservation after = step.sources().observe(controlPlane);
        step.upToDate().apply(after);

        // 8. Report.
        Progress progress = new Progress(after, release, install, machines, kubeconfig);
        if (answersAtOnce(ResourceID.fromResource(controlPlane), release)
                && machines instanceof MachineStep.Outcome.Complete) {
            return UpdateControl.<OpenshiftAssistedControlPlane>noUpdate().rescheduleAfter(REGISTRY_ANSWERS_WITHIN);
        }
        return end(controlPlane, report.of(progress), missing(progress, inputs), attemptAgain(progress));
    }

    @Override
    public DeleteControl cleanup(
            OpenshiftAssistedControlPlane controlPlane, Context<OpenshiftAssistedControlPlane> context) {
        Steps step = Objects.requireNonNull(steps, "event sources are prepared first");
        awaited.waitFor(controlPlane, Set.of());
        askedSince.remove(ResourceID.fromResource(controlPlane));
        if (!step.sources().unknown().isEmpty()) {
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(UNTIL_KINDS_ARE_KNOWN.toMillis());
        }
        ControlPlaneObservation observation = step.sources().observe(controlPlane);
        if (observation.paused()) {
            write(controlPlane, report.paused(observation), context);
            return DeleteControl.noFinalizerRemoval();
        }
        return switch (step.deletion().proceed(observation)) {
            case ControlPlaneDeletion.Outcome.Wait wait -> {
                write(controlPlane, report.deleting(observation, wait.reason(), wait.message()), context);
                yield DeleteControl.noFinalizerRemoval();
            }
            case ControlPlaneDeletion.Outcome.Done ignored -> DeleteControl.defaultDelete();
        };
    }

    /** What a control plane waits for that was created just now is mostly there before anybody could read of it. */
    private boolean isNew(OpenshiftAssistedControlPlane controlPlane) {
        Instant created = Instant.parse(controlPlane.getMetadata().getCreationTimestamp());
        return controlPlane.getStatus() == null && clock.instant().isBefore(created.plus(APPLIED_WITHIN));
    }

    /** A registry mostly answers before anybody could read that it is being asked: that much is not worth a write. */
    private boolean answersAtOnce(ResourceID id, ReleaseState release) {
        if (!(release instanceof ReleaseState.Resolving)) {
            askedSince.remove(id);
            return false;
        }
        Instant now = clock.instant();
        Instant since = askedSince.putIfAbsent(id, now);
        return since == null || now.isBefore(since.plus(REGISTRY_ANSWERS_WITHIN));
    }

    private UpdateControl<OpenshiftAssistedControlPlane> end(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedControlPlaneStatus status,
            Set<Target> missing,
            @Nullable Duration again) {
        awaited.waitFor(controlPlane, missing);
        return StatusWriter.report(controlPlane, status, OpenshiftAssistedControlPlane::new, again);
    }

    /** Objects that nobody watches for us, and whose change would let us go on. */
    private static Set<Target> missing(Progress progress, InputsStep.Inputs inputs) {
        Set<Target> missing = new HashSet<>(inputs.watched());
        if (progress.machines() instanceof MachineStep.Outcome.Failed failed && failed.awaited() != null) {
            missing.add(failed.awaited());
        }
        String pullSecret = InstallPullSecret.chosen(progress.observation().identity());
        if (progress.release() instanceof ReleaseState.Unavailable && pullSecret != null) {
            missing.add(Target.secret(progress.observation().identity().namespace(), pullSecret));
        }
        switch (progress.kubeconfig()) {
            case KubeconfigStep.Outcome.SourceMissing source -> missing.add(source.source());
            case KubeconfigStep.Outcome.Available available -> {
                if (available.unwatched() != null) {
                    missing.add(available.unwatched());
                }
            }
            case KubeconfigStep.Outcome.UserProvided ignored -> {}
            case KubeconfigStep.Outcome.NotYet ignored -> {}
        }
        return missing;
    }

    private static @Nullable Duration attemptAgain(Progress progress) {
        boolean refused = progress.install() instanceof InstallStep.Outcome.Refused
                || (progress.machines() instanceof MachineStep.Outcome.Failed failed && failed.awaited() == null);
        return refused ? UNTIL_NEXT_ATTEMPT : null;
    }

    private static void write(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedControlPlaneStatus status,
            Context<OpenshiftAssistedControlPlane> context) {
        if (status.equals(controlPlane.getStatus())) {
            return;
        }
        OpenshiftAssistedControlPlane fresh = new OpenshiftAssistedControlPlane();
        fresh.setMetadata(new ObjectMetaBuilder()
                .withNamespace(controlPlane.getMetadata().getNamespace())
                .withName(controlPlane.getMetadata().getName())
                .build());
        fresh.setStatus(status);
        context.resourceOperations().serverSideApplyPrimaryStatus(fresh);
    }

    private @Nullable ConfigMap configMap(String namespace, String name) {
        return client.configMaps().inNamespace(namespace).withName(name).get();
    }

    private @Nullable Secret secret(String namespace, String name) {
        return client.secrets().inNamespace(namespace).withName(name).get();
    }
}
