package io.capoa.controlplane.controlplane;

import io.capoa.api.Finalizers;
import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.release.Releases;
import io.capoa.controlplane.workload.Inquiries;
import io.capoa.runtime.assisted.ValidationGrace;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.watch.Awaited;
import io.capoa.runtime.watch.Awaited.Target;
import io.capoa.runtime.watch.Wakeups;
import io.capoa.runtime.watch.Watches;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
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
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
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

    /** No watch says that a right was granted. */
    private static final Duration UNTIL_RIGHTS_ARE_GRANTED = Duration.ofSeconds(10);

    /** What is applied together arrives and finds its owner within this time; creation times have whole seconds. */
    private static final Duration APPLIED_WITHIN = Duration.ofSeconds(2);

    private static final Duration BURST = Duration.ofMillis(25);
    private static final int REPORTS_PER_BURST = 2;

    private final KubernetesClient client;
    private final Applier applier;
    private final Releases releases;
    private final Contracts contracts;
    private final Clock clock;
    private final BooleanSupplier leading;
    private final StatusReport report;
    private final Awaited<OpenshiftAssistedControlPlane> awaited;
    private final Inquiries inquiries;
    private final Reporting reporting;
    private final RegistryPatience patience;
    private final ValidationGrace grace;
    private @Nullable Steps steps;

    /** What can be built only when the watched kinds are declared. */
    private record Steps(
            ControlPlaneSources sources,
            InputsStep inputs,
            ReleaseResolution release,
            InstallStep install,
            RetryStep retry,
            MachineStep machines,
            InPlaceStep inPlace,
            ScaleDownStep scaleDown,
            KubeconfigStep kubeconfig,
            UpToDateStep upToDate,
            ControlPlaneDeletion deletion) {}

    /**
     * The reconciler.
     *
     * @param leading whether this process is the one that reconciles, asked before changes that cannot be undone
     */
    public ControlPlaneReconciler(
            KubernetesClient client,
            Applier applier,
            Releases releases,
            Inquiries inquiries,
            EventRecorder events,
            Clock clock,
            BooleanSupplier leading) {
        this.client = client;
        this.applier = applier;
        this.releases = releases;
        this.inquiries = inquiries;
        this.contracts = new Contracts(client, clock);
        this.clock = clock;
        this.leading = leading;
        this.report = new StatusReport(clock);
        this.reporting = new Reporting(clock, events);
        this.patience = new RegistryPatience(clock);
        this.grace = new ValidationGrace(clock);
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
        ControlPlaneSources sources = new ControlPlaneSources(watches, client, contracts);
        Wakeups<OpenshiftAssistedControlPlane> registryAnswers = new Wakeups<>("releases");
        releases.onChange(registryAnswers::wake);
        Wakeups<OpenshiftAssistedControlPlane> clusterAnswers = new Wakeups<>("inquiries");
        inquiries.onChange(clusterAnswers::wake);
        ImageSetStep imageSets = new ImageSetStep(sources, applier);
        Fence fence = new Fence(client, leading);
        steps = new Steps(
                sources,
                new InputsStep(this::configMap),
                new ReleaseResolution(this::secret, sources::imageSetsOf, releases),
                new InstallStep(sources, client, applier, imageSets),
                new RetryStep(client, applier),
                new MachineStep(sources, client, contracts, applier, clock),
                new InPlaceStep(sources, applier),
                new ScaleDownStep(applier, fence, new NodeRemovalStep(sources, applier, fence, clock)),
                new KubeconfigStep(sources, this::secret, applier),
                new UpToDateStep(sources, applier, clock),
                new ControlPlaneDeletion(sources, applier, imageSets));
        return watches.add(registryAnswers).add(clusterAnswers).add(awaited).toList();
    }

    @Override
    public UpdateControl<OpenshiftAssistedControlPlane> reconcile(
            OpenshiftAssistedControlPlane controlPlane, Context<OpenshiftAssistedControlPlane> context) {
        Set<String> asked = new HashSet<>();
        try {
            return reconcile(controlPlane, asked, context);
        } finally {
            // Also when it is paused, waits or fails: what is not asked again is not asked on in the background.
            inquiries.keepOnly(ResourceID.fromResource(controlPlane), asked);
        }
    }

    private UpdateControl<OpenshiftAssistedControlPlane> reconcile(
            OpenshiftAssistedControlPlane controlPlane,
            Set<String> asked,
            Context<OpenshiftAssistedControlPlane> context) {
        // 1. Observe.
        Steps step = Objects.requireNonNull(steps, "event sources are prepared first");
        List<Class<? extends HasMetadata>> unknown = step.sources().unknown();
        List<String> absent = step.sources().absent();
        if (!absent.isEmpty()) {
            // Their watches wake all control planes when they come.
            return end(controlPlane, report.blind(controlPlane, absent), Set.of(), null, context);
        }
        if (!unknown.isEmpty()) {
            LOG.debug("Nothing can be decided while these kinds are not watched: {}", unknown);
            return unwatched(controlPlane, step.sources().forbidden(), context);
        }
        ControlPlaneObservation observation = step.sources().observe(controlPlane);
        if (observation.infrastructure() == null) {
            return unwatched(controlPlane, refused(step, observation), context);
        }
        if (observation.paused()) {
            return end(controlPlane, report.paused(observation), Set.of(), null, context);
        }

        // 2. Decide whether anything can be made yet.
        return switch (Preflight.of(observation)) {
            case Preflight.Wait wait ->
                isNew(controlPlane)
                        ? ahead(step, observation)
                        : waiting(observation, wait.reason(), wait.message(), Set.of(), context);
            case Preflight.Unsupported unsupported ->
                waiting(
                        observation,
                        ControlPlaneConditions.MACHINE_GENERATION_FAILED,
                        unsupported.message(),
                        Set.of(),
                        context);
            case Preflight.Clear clear ->
                make(step, observation, clear, new Questions(inquiries, observation, asked), context);
        };
    }

    /** Rights that are missing are said; a watch that is being renewed is not. */
    private UpdateControl<OpenshiftAssistedControlPlane> unwatched(
            OpenshiftAssistedControlPlane controlPlane,
            List<String> forbidden,
            Context<OpenshiftAssistedControlPlane> context) {
        return forbidden.isEmpty()
                ? UpdateControl.<OpenshiftAssistedControlPlane>noUpdate().rescheduleAfter(UNTIL_KINDS_ARE_KNOWN)
                : end(
                        controlPlane,
                        report.failed(controlPlane, FailureReasons.FORBIDDEN, String.join("; ", forbidden)),
                        Set.of(),
                        UNTIL_RIGHTS_ARE_GRANTED,
                        context);
    }

    private static List<String> refused(Steps step, ControlPlaneObservation observation) {
        return step.sources().infrastructure.failure(observation.controlPlane(), observation.machines()).stream()
                .map(ReconcileFailure::message)
                .toList();
    }

    @Override
    public ErrorStatusUpdateControl<OpenshiftAssistedControlPlane> updateErrorStatus(
            OpenshiftAssistedControlPlane controlPlane,
            Context<OpenshiftAssistedControlPlane> context,
            Exception failure) {
        reporting.failed(controlPlane, failure, report, context);
        return ErrorStatusUpdateControl.noStatusUpdate();
    }

    /** What it waits for is mostly there before anybody could read of it; the registry may answer by then, too. */
    private static UpdateControl<OpenshiftAssistedControlPlane> ahead(Steps step, ControlPlaneObservation observation) {
        step.release().resolve(observation, step.inputs().read(observation));
        return UpdateControl.<OpenshiftAssistedControlPlane>noUpdate().rescheduleAfter(APPLIED_WITHIN);
    }

    private UpdateControl<OpenshiftAssistedControlPlane> make(
            Steps step,
            ControlPlaneObservation observation,
            Preflight.Clear clear,
            Questions questions,
            Context<OpenshiftAssistedControlPlane> context) {
        OpenshiftAssistedControlPlane controlPlane = observation.controlPlane();

        // 3. Read what users hand in, and find the release: from what is remembered, else from the registry, which
        // answers later.
        InputsStep.Inputs inputs = step.inputs().read(observation);
        ReleaseState release = step.release().resolve(observation, inputs);
        if (release instanceof ReleaseState.NoCredentials missing
                && observation.install() == null
                && !observation.installed()) {
            String secret = missing.secret();
            Set<Target> awaitedSecret = secret == null
                    ? Set.of()
                    : Set.of(Target.secret(observation.identity().namespace(), secret));
            return waiting(observation, missing.reason(), missing.message(), awaitedSecret, context);
        }

        // 4. Write what is installed from, and 5. the Machines it is installed on.
        InstallStep.Outcome install;
        MachineStep.Outcome machines = new MachineStep.Outcome.Complete();
        boolean retry = RetryStep.isDue(observation);
        if (retry) {
            step.retry().apply(observation);
            install = InstallStep.Outcome.Waiting.RETRY;
        } else {
            install = step.install().apply(observation, clear.cluster(), inputs, release);
            machines = step.machines().create(observation, clear.cluster(), questions);
            // The registry mostly answers while the Machines are made.
            ReleaseState answered = step.release().again(observation, release);
            if (!answered.equals(release)) {
                release = answered;
                install = step.install().apply(step.sources().observe(controlPlane), clear.cluster(), inputs, release);
            }
            step.inPlace().apply(observation);
            observation = step.sources().observe(controlPlane);
        }
        ScaleDownStep.Outcome scaleDown = step.scaleDown().apply(observation, questions);
        reporting.tell(controlPlane, scaleDown);

        // 6. Hand on the kubeconfig, and try it until the API server has answered once.
        KubeconfigStep.Outcome kubeconfig =
                retry ? new KubeconfigStep.Outcome.NotYet() : step.kubeconfig().apply(observation);
        InstallState state = observation.installState();
        boolean probe = !observation.initialized() && state.started() && !state.apiServes();
        boolean answers = probe && questions.isReady();
        String runs = observation.installed() ? questions.version() : null;

        // 7. Look at what there is now, and say of each Machine whether it is up to date.
        ControlPlaneObservation after = step.sources().observe(controlPlane);
        boolean said = step.upToDate().apply(after);

        // 8. Report.
        Progress progress =
                new Progress(after, release, install, machines, scaleDown, kubeconfig, checks(after), answers, runs);
        if (patience.isYoung(ResourceID.fromResource(controlPlane), release)
                && machines instanceof MachineStep.Outcome.Complete) {
            return UpdateControl.<OpenshiftAssistedControlPlane>noUpdate()
                    .rescheduleAfter(RegistryPatience.ANSWERS_WITHIN);
        }
        return end(
                controlPlane,
                report.of(progress),
                Awaiting.objects(progress, inputs),
                said || scaleDown.again() ? Awaiting.AFTER_WRITES : Awaiting.attemptAgain(progress),
                context);
    }

    private Verdict checks(ControlPlaneObservation observation) {
        AgentClusterInstall install = observation.install();
        ResourceID id = ResourceID.fromResource(observation.controlPlane());
        if (install == null || observation.installStarted()) {
            grace.forget(id);
            return Verdict.PASSING;
        }
        boolean reported = StatusReport.hasReported(observation, ControlPlaneConditions.CLUSTER_VALIDATION_FAILED);
        return grace.judge(id, install, InstallFailure.validations(install), reported, check -> true);
    }

    @Override
    public DeleteControl cleanup(
            OpenshiftAssistedControlPlane controlPlane, Context<OpenshiftAssistedControlPlane> context) {
        try {
            return takeApart(controlPlane, context);
        } catch (RuntimeException e) {
            // The framework reports failed reconciles, and says nothing of a failed cleanup.
            reporting.failed(controlPlane, e, report, context);
            throw e;
        }
    }

    private DeleteControl takeApart(
            OpenshiftAssistedControlPlane controlPlane, Context<OpenshiftAssistedControlPlane> context) {
        Steps step = Objects.requireNonNull(steps, "event sources are prepared first");
        awaited.waitFor(controlPlane, Set.of());
        patience.forget(ResourceID.fromResource(controlPlane));
        reporting.forget(controlPlane);
        grace.forget(ResourceID.fromResource(controlPlane));
        step.machines().forget(ResourceID.fromResource(controlPlane));
        inquiries.keepOnly(ResourceID.fromResource(controlPlane), Set.of());
        if (!step.sources().unknown().stream().allMatch(contracts::isAbsent)) {
            List<String> forbidden = step.sources().forbidden();
            DeleteControl waiting = forbidden.isEmpty()
                    ? DeleteControl.noFinalizerRemoval()
                    : reporting.deleting(
                            controlPlane,
                            report.failed(controlPlane, FailureReasons.FORBIDDEN, String.join("; ", forbidden)),
                            context);
            return waiting.rescheduleAfter(UNTIL_KINDS_ARE_KNOWN.toMillis());
        }
        ControlPlaneObservation observation = step.sources().observe(controlPlane);
        if (observation.paused()) {
            return reporting.deleting(controlPlane, report.paused(observation), context);
        }
        return switch (step.deletion().proceed(observation)) {
            case ControlPlaneDeletion.Outcome.Wait wait ->
                reporting.deleting(controlPlane, report.deleting(observation, wait.reason(), wait.message()), context);
            case ControlPlaneDeletion.Outcome.Done ignored -> DeleteControl.defaultDelete();
        };
    }

    private boolean isNew(OpenshiftAssistedControlPlane controlPlane) {
        Instant created = Instant.parse(controlPlane.getMetadata().getCreationTimestamp());
        return controlPlane.getStatus() == null && clock.instant().isBefore(created.plus(APPLIED_WITHIN));
    }

    private UpdateControl<OpenshiftAssistedControlPlane> waiting(
            ControlPlaneObservation observation,
            String reason,
            String message,
            Set<Target> missing,
            Context<OpenshiftAssistedControlPlane> context) {
        return end(observation.controlPlane(), report.waiting(observation, reason, message), missing, null, context);
    }

    private UpdateControl<OpenshiftAssistedControlPlane> end(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedControlPlaneStatus status,
            Set<Target> missing,
            @Nullable Duration again,
            Context<OpenshiftAssistedControlPlane> context) {
        awaited.waitFor(controlPlane, missing);
        return reporting.end(controlPlane, status, again, context);
    }

    private @Nullable ConfigMap configMap(String namespace, String name) {
        return ByName.select(client.configMaps().inNamespace(namespace), name).get();
    }

    private @Nullable Secret secret(String namespace, String name) {
        return ByName.select(client.secrets().inNamespace(namespace), name).get();
    }
}
