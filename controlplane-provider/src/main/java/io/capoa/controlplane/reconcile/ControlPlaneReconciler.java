package io.capoa.controlplane.reconcile;

import io.capoa.api.Finalizers;
import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.api.rules.MissingFields;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.release.Releases;
import io.capoa.controlplane.status.Reporting;
import io.capoa.controlplane.status.StatusReport;
import io.capoa.controlplane.status.StepResults;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.machines.MachineStep;
import io.capoa.controlplane.steps.machines.WorkloadClusterQueries;
import io.capoa.controlplane.workload.client.WorkloadClusterPoller;
import io.capoa.runtime.contract.Contracts;
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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reconciles an OpenshiftAssistedControlPlane: install objects, control plane Machines, kubeconfig and status. */
@ControllerConfiguration(
        name = "openshiftassistedcontrolplane",
        finalizerName = Finalizers.CONTROL_PLANE,
        generationAwareEventProcessing = false)
public final class ControlPlaneReconciler
        implements Reconciler<OpenshiftAssistedControlPlane>,
                Cleaner<OpenshiftAssistedControlPlane>,
                Staged<OpenshiftAssistedControlPlane> {

    private final Dependencies dependencies;
    private final Releases releases;
    private final WorkloadClusterPoller poller;
    private final Contracts contracts;
    private final NamedObjectEventSource<OpenshiftAssistedControlPlane> namedObjects;
    private final RemovalEventSource<OpenshiftAssistedControlPlane> removals = new RemovalEventSource<>(this::forget);
    private final StatusReport report;
    private final StatusReporter<OpenshiftAssistedControlPlaneStatus, OpenshiftAssistedControlPlane> reporter;
    private final AnswerPatience registry;
    private final AnswerPatience firstHealth;
    private @Nullable Watched watched;

    /**
     * The reconciler.
     *
     * @param leading whether this process is the leader; checked before changes that cannot be undone
     * @param version of the manager
     */
    public ControlPlaneReconciler(
            KubernetesClient client,
            Applier applier,
            Releases releases,
            WorkloadClusterPoller poller,
            EventRecorder events,
            Clock clock,
            BooleanSupplier leading,
            String version) {
        this.dependencies = new Dependencies(client, applier, releases, events, clock, leading, version);
        this.releases = releases;
        this.poller = poller;
        this.contracts = new Contracts(client, clock);
        this.namedObjects = new NamedObjectEventSource<>(client);
        this.report = new StatusReport(clock);
        this.reporter = Reporting.reporter(events, clock);
        this.registry = new AnswerPatience(clock, Requeue.REGISTRY_ANSWERS_WITHIN);
        this.firstHealth = new AnswerPatience(clock, Requeue.CLUSTER_ANSWERS_WITHIN);
    }

    @Override
    public List<EventSource<?, OpenshiftAssistedControlPlane>> prepareEventSources(
            EventSourceContext<OpenshiftAssistedControlPlane> context) {
        EventSources<OpenshiftAssistedControlPlane> eventSources = new EventSources<>(context);
        ControlPlaneSources sources = new ControlPlaneSources(eventSources, dependencies.client(), contracts);
        TriggerEventSource<OpenshiftAssistedControlPlane> registryAnswers = new TriggerEventSource<>("releases");
        releases.onChange(registryAnswers::trigger);
        TriggerEventSource<OpenshiftAssistedControlPlane> clusterAnswers = new TriggerEventSource<>("inquiries");
        poller.onChange(clusterAnswers::trigger);
        watched = Watched.of(dependencies, sources, contracts);
        return eventSources
                .add(registryAnswers)
                .add(clusterAnswers)
                .add(reporter.due())
                .add(namedObjects)
                .add(removals)
                .toList();
    }

    @Override
    public UpdateControl<OpenshiftAssistedControlPlane> reconcile(
            OpenshiftAssistedControlPlane controlPlane, Context<OpenshiftAssistedControlPlane> context) {
        Set<String> asked = new HashSet<>();
        try {
            Optional<String> unusable = MissingFields.of(controlPlane);
            return unusable.isPresent()
                    ? unusable(controlPlane, unusable.get(), context)
                    : end(controlPlane, result(controlPlane, asked), context);
        } finally {
            // Also when paused, waiting or failed: background queries that were not asked for again stop.
            poller.keepOnly(ResourceID.fromResource(controlPlane), asked);
            removals.reconciled(controlPlane, context);
        }
    }

    @Override
    public int stage(OpenshiftAssistedControlPlane controlPlane) {
        return Reporting.stage(controlPlane);
    }

    private ReconcileResult result(OpenshiftAssistedControlPlane controlPlane, Set<String> asked) {
        // 1. Observe.
        Optional<ReconcileResult> unwatched = unwatched(controlPlane);
        if (unwatched.isPresent()) {
            return unwatched.get();
        }
        ControlPlaneObservation observation = watched().sources().observe(controlPlane);
        if (observation.infrastructure() == null) {
            return forbidden(controlPlane, watched().sources().forbiddenInfrastructure(observation));
        }

        // 2. Plan.
        return switch (watched().planner().plan(observation)) {
            case Plan.Pause ignored -> ReconcileResult.report(report.paused(observation));
            case Plan.Settle ignored -> ReconcileResult.unchanged(Requeue.APPLIED_WITHIN);
            case Plan.Wait wait ->
                new ReconcileResult(report.waiting(observation, wait.blocker()), wait.namedObjects(), null);
            case Plan.Announce announce ->
                new ReconcileResult(
                        report.checking(observation, announce.blocker()),
                        announce.namedObjects(),
                        Requeue.AFTER_WRITES);

            // 3. Apply.
            case Plan.Apply plan ->
                reported(
                        plan,
                        watched()
                                .steps()
                                .apply(observation, plan, new WorkloadClusterQueries(poller, observation, asked)));
        };
    }

    /** 4. Report. */
    private ReconcileResult reported(Plan.Apply plan, StepResults results) {
        ResourceID id = ResourceID.fromResource(results.observation().controlPlane());
        if (registry.isYoung(id, results.release() instanceof ReleaseState.Resolving)
                && results.machines().creation() instanceof MachineStep.Creation.Complete) {
            return ReconcileResult.unchanged(Requeue.REGISTRY_ANSWERS_WITHIN);
        }
        return firstHealth.isYoung(id, StatusReport.awaitsFirstHealth(results))
                ? ReconcileResult.unchanged(Requeue.CLUSTER_ANSWERS_WITHIN)
                : new ReconcileResult(
                        report.of(results),
                        Requeue.targets(results, plan.inputs()),
                        Requeue.after(results, dependencies.clock().instant()));
    }

    /** How the reconcile ends while a kind is not watched, which means that its cache is unknown, not empty. */
    private Optional<ReconcileResult> unwatched(OpenshiftAssistedControlPlane controlPlane) {
        Unwatched unwatched = watched().sources().unwatched();
        if (unwatched.isEmpty()) {
            return Optional.empty();
        }
        List<String> absent = unwatched.absent();
        return Optional.of(
                absent.isEmpty()
                        ? forbidden(controlPlane, unwatched.forbidden())
                        // The CRD's watch requeues all control planes when the kind is installed.
                        : ReconcileResult.report(report.blind(controlPlane, absent)));
    }

    /** Reports missing rights; a watch that is only being renewed is not reported. */
    private ReconcileResult forbidden(OpenshiftAssistedControlPlane controlPlane, List<String> rights) {
        return rights.isEmpty()
                ? ReconcileResult.unchanged(Requeue.UNTIL_KINDS_ARE_KNOWN)
                : new ReconcileResult(
                        report.failed(controlPlane, missing(rights)), Set.of(), Requeue.UNTIL_RIGHTS_ARE_GRANTED);
    }

    private static Blocker missing(List<String> rights) {
        return new Blocker(FailureReasons.FORBIDDEN, String.join("; ", rights));
    }

    private UpdateControl<OpenshiftAssistedControlPlane> end(
            OpenshiftAssistedControlPlane controlPlane,
            ReconcileResult result,
            Context<OpenshiftAssistedControlPlane> context) {
        if (result.status() == null) {
            return UpdateControl.<OpenshiftAssistedControlPlane>noUpdate()
                    .rescheduleAfter(Objects.requireNonNull(result.requeue()));
        }
        namedObjects.waitFor(controlPlane, result.namedObjects());
        return reporter.report(controlPlane, result.status(), result.requeue(), context);
    }

    @Override
    public ErrorStatusUpdateControl<OpenshiftAssistedControlPlane> updateErrorStatus(
            OpenshiftAssistedControlPlane controlPlane,
            Context<OpenshiftAssistedControlPlane> context,
            Exception failure) {
        failed(controlPlane, failure, context);
        return ErrorStatusUpdateControl.noStatusUpdate();
    }

    private UpdateControl<OpenshiftAssistedControlPlane> unusable(
            OpenshiftAssistedControlPlane controlPlane,
            String problem,
            Context<OpenshiftAssistedControlPlane> context) {
        Blocker blocker = new Blocker(
                ControlPlaneConditions.INVALID_CONFIGURATION,
                MissingFields.withRemedy(problem, "add it, or delete the control plane"));
        return reporter.unusable(controlPlane, report.failed(controlPlane, blocker), blocker, context);
    }

    private void failed(
            OpenshiftAssistedControlPlane controlPlane,
            Exception failure,
            Context<OpenshiftAssistedControlPlane> context) {
        reporter.blocker(failure, context)
                .ifPresent(blocker -> reporter.failed(controlPlane, report.failed(controlPlane, blocker), context));
    }

    @Override
    public DeleteControl cleanup(
            OpenshiftAssistedControlPlane controlPlane, Context<OpenshiftAssistedControlPlane> context) {
        try {
            return delete(controlPlane, context);
        } catch (RuntimeException e) {
            // The framework calls updateErrorStatus for a failed reconcile, not for a failed cleanup.
            failed(controlPlane, e, context);
            throw e;
        }
    }

    private DeleteControl delete(
            OpenshiftAssistedControlPlane controlPlane, Context<OpenshiftAssistedControlPlane> context) {
        forget(controlPlane);
        Unwatched unwatched = watched().sources().unwatched();
        if (!unwatched.kinds().stream().allMatch(contracts::isAbsent)) {
            List<String> rights = unwatched.forbidden();
            DeleteControl waiting = rights.isEmpty()
                    ? DeleteControl.noFinalizerRemoval()
                    : reporter.deleting(controlPlane, report.failed(controlPlane, missing(rights)), context);
            return waiting.rescheduleAfter(Requeue.UNTIL_KINDS_ARE_KNOWN.toMillis());
        }
        ControlPlaneObservation observation = watched().sources().observe(controlPlane);
        if (observation.paused()) {
            return reporter.deleting(controlPlane, report.paused(observation), context);
        }
        return watched()
                .deletion()
                .proceed(observation)
                .map(blocker -> reporter.deleting(controlPlane, report.deleting(observation, blocker), context))
                .orElseGet(() -> {
                    watched().steps().end(observation);
                    return DeleteControl.defaultDelete();
                });
    }

    private void forget(OpenshiftAssistedControlPlane controlPlane) {
        ResourceID id = ResourceID.fromResource(controlPlane);
        namedObjects.waitFor(controlPlane, Set.of());
        registry.forget(id);
        firstHealth.forget(id);
        reporter.forget(controlPlane);
        watched().planner().forget(id);
        watched().steps().forget(id);
        poller.forget(id);
    }

    private Watched watched() {
        return Objects.requireNonNull(watched, "event sources are declared before the first reconcile");
    }
}
