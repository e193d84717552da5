package io.capoa.controlplane.steps.install;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Cluster;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.plan.InstallationPlan;
import io.capoa.controlplane.plan.PlanReader;
import io.capoa.controlplane.plan.PlanVerdict;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.ReportedConditions;
import io.capoa.runtime.threads.VirtualThreads;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans an installation before its first Machine is created. A plan with blocking findings is made again, because most of
 * what it is made from is not watched; one that fails or takes long blocks nothing.
 */
public final class PlanStep {

    private static final Logger LOG = LoggerFactory.getLogger(PlanStep.class);

    /** Plans in memory at a time: tenants can make hosts of some MiB for each. */
    private static final int AT_ONCE = 2;

    /** A usual plan takes milliseconds, one of a hundred hosts about a second. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** Events in quick succession lead to one plan. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** Objects applied together arrive within this time. */
    private static final Duration FIRST_AGAIN = Duration.ofSeconds(2);

    private static final Duration LAST_AGAIN = Duration.ofSeconds(30);

    /**
     * A plan, or none.
     *
     * @param verdict {@code null} if nothing is planned now, and the condition stays as it is
     * @param again when to plan again; {@code null} if the plan does not block
     * @param templates of infrastructure machines that this reconcile has read for the plan
     */
    public record Planned(
            @Nullable PlanVerdict verdict,
            @Nullable Duration again,
            Map<InfrastructureReference, GenericKubernetesResource> templates) {

        /** Nothing is planned now. */
        public static final Planned NONE = new Planned(null, null, Map.of());

        private static Planned unknown(String why) {
            return new Planned(PlanVerdict.unknown(why), null, Map.of());
        }

        /** Keeps the installation from beginning. */
        public boolean blocks() {
            return verdict != null && verdict.blocks();
        }

        /** What is given to the installation in place of these inputs: a plan that blocks is a problem of its own. */
        public InputsStep.Inputs with(InputsStep.Inputs inputs) {
            return !blocks() || inputs.problem() != null
                    ? inputs
                    : new InputsStep.Inputs(
                            inputs.mirrors(),
                            new InputsStep.Problem(
                                    new Blocker(
                                            ControlPlaneConditions.BLOCKING_FINDINGS,
                                            "condition InstallationPlanned says what keeps it from beginning"),
                                    false),
                            inputs.watched());
        }
    }

    /** Makes a plan, if there is something to plan. */
    interface Maker {

        Planned make(ControlPlaneObservation observation, Cluster cluster);
    }

    /**
     * A plan that was made.
     *
     * @param input what of the control plane it was made from
     * @param since when the first of the plans was made that block without a break
     */
    private record Made(String input, Instant at, Instant since, PlanVerdict verdict) {}

    private final Semaphore turns = new Semaphore(AT_ONCE, true);
    private final Map<ResourceID, Made> made = new ConcurrentHashMap<>();
    private final Maker maker;
    private final Clock clock;
    private final Duration longest;

    public PlanStep(PlanReader reader, Clock clock) {
        this((observation, cluster) -> plan(reader, observation, cluster), clock, LONGEST);
    }

    PlanStep(Maker maker, Clock clock, Duration longest) {
        this.maker = maker;
        this.clock = clock;
        this.longest = longest;
    }

    /** Plans while nothing of the installation exists; afterwards what was planned is reported until the status has it. */
    public Planned apply(ControlPlaneObservation observation, Cluster cluster) {
        OpenshiftAssistedControlPlane controlPlane = observation.controlPlane();
        ResourceID id = ResourceID.fromResource(controlPlane);
        Made before = made.get(id);
        if (!isPending(observation, cluster)) {
            return unreported(id, observation, before);
        }
        Instant now = clock.instant();
        String input = input(controlPlane);
        if (before != null
                && before.input().equals(input)
                && now.isBefore(before.at().plus(FRESH))) {
            return new Planned(before.verdict(), before.verdict().blocks() ? FRESH : null, Map.of());
        }
        Planned planned = inTurn(observation, cluster);
        PlanVerdict verdict = planned.verdict();
        if (verdict == null) {
            made.remove(id);
            return planned;
        }
        Instant since = before != null && before.verdict().blocks() ? before.since() : now;
        made.put(id, new Made(input, now, since, verdict));
        return new Planned(verdict, verdict.blocks() ? again(Duration.between(since, now)) : null, planned.templates());
    }

    private static boolean isPending(ControlPlaneObservation observation, Cluster cluster) {
        return observation.machines().isEmpty()
                && observation.desiredReplicas() > 0
                && !observation.installStarted()
                && !cluster.isMarkedForDeletion();
    }

    /** The status is not written in each reconcile. Once the installation has started, it may say only that it was planned. */
    private Planned unreported(ResourceID id, ControlPlaneObservation observation, @Nullable Made before) {
        if (before == null) {
            return Planned.NONE;
        }
        PlanVerdict verdict = before.verdict();
        boolean started = observation.installStarted();
        boolean reported = ReportedConditions.in(observation.controlPlane().getStatus())
                .get(ControlPlaneConditions.INSTALLATION_PLANNED)
                .filter(condition -> condition.status().equals(verdict.status())
                        && (started || condition.reason().equals(verdict.reason())))
                .isPresent();
        boolean outdated = started ? !verdict.status().equals(Condition.TRUE) : verdict.blocks();
        if (reported || outdated) {
            made.remove(id);
            return Planned.NONE;
        }
        return new Planned(verdict, null, Map.of());
    }

    /** As long as it has blocked so far, within limits. */
    private static Duration again(Duration blocked) {
        return blocked.compareTo(FIRST_AGAIN) < 0
                ? FIRST_AGAIN
                : blocked.compareTo(LAST_AGAIN) > 0 ? LAST_AGAIN : blocked;
    }

    private static String input(OpenshiftAssistedControlPlane controlPlane) {
        return controlPlane.getMetadata().getUid() + " "
                + controlPlane.getMetadata().getGeneration() + " "
                + Annotations.value(controlPlane, Annotations.ACCEPT_PLAN_FINDINGS);
    }

    private Planned inTurn(ControlPlaneObservation observation, Cluster cluster) {
        turns.acquireUninterruptibly();
        try {
            return inTime(observation, cluster);
        } finally {
            turns.release();
        }
    }

    private Planned inTime(ControlPlaneObservation observation, Cluster cluster) {
        String name = ResourceID.fromResource(observation.controlPlane()).toString();
        ExecutorService thread = VirtualThreads.perTask("plan-");
        try {
            return CompletableFuture.supplyAsync(() -> maker.make(observation, cluster), thread)
                    .get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn(
                    "The plan of control plane {} took more than {} s; the installation goes on",
                    name,
                    longest.toSeconds());
            return Planned.unknown("no plan was made within %d s".formatted(longest.toSeconds()));
        } catch (ExecutionException e) {
            LOG.warn("The plan of control plane {} failed; the installation goes on", name, e.getCause());
            return Planned.unknown("the plan failed with %s; see the log of the control plane provider"
                    .formatted(Objects.requireNonNull(e.getCause()).getClass().getSimpleName()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Planned.NONE;
        } finally {
            thread.shutdownNow();
        }
    }

    private static Planned plan(PlanReader reader, ControlPlaneObservation observation, Cluster cluster) {
        return reader.read(
                        observation.identity(), cluster, observation.workers().deployments())
                .flatMap(read -> InstallationPlan.of(read.input(), null).stream()
                        .findFirst()
                        .map(plan -> new Planned(
                                PlanVerdict.of(plan, read.unread(), observation.controlPlane()),
                                null,
                                read.templates())))
                .orElse(Planned.NONE);
    }

    /** Drops what is remembered of a control plane. */
    public void forget(ResourceID controlPlane) {
        made.remove(controlPlane);
    }
}
