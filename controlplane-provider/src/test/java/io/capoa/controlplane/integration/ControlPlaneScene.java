package io.capoa.controlplane.integration;

import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.testing.Objects;
import io.capoa.lab.cluster.TestCluster;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** A control plane with its peers, the running reconciler, and access to its status. */
final class ControlPlaneScene implements AutoCloseable {

    static final Duration SOON = Duration.ofSeconds(30);

    private static final OpenshiftAssistedControlPlaneStatus NOTHING = Objects.status("replicas: 0");

    final ControlPlanePeers peers;
    final RunningControlPlane running;

    private ControlPlaneScene(ControlPlanePeers peers, RunningControlPlane running) {
        this.peers = peers;
        this.running = running;
    }

    /** A namespace without objects. */
    static ControlPlaneScene empty(RunningControlPlane running) {
        return new ControlPlaneScene(new ControlPlanePeers(running), running);
    }

    /** A namespace with only a pull secret and a machine template, whose control planes a manager reconciles. */
    static ControlPlaneScene of(RunningControlPlane running) {
        return of(new ControlPlanePeers(running), namespace -> running);
    }

    /** The same with a manager and a registry of its own. */
    static ControlPlaneScene own(TestCluster cluster) {
        return own(cluster, namespace -> RunningControlPlane.in(cluster, namespace));
    }

    /** The same with the rights of another user. */
    static ControlPlaneScene as(TestCluster cluster, String user) {
        return own(cluster, namespace -> RunningControlPlane.as(cluster, user, namespace));
    }

    private static ControlPlaneScene own(TestCluster cluster, Function<String, RunningControlPlane> start) {
        return of(new ControlPlanePeers(cluster), start);
    }

    private static ControlPlaneScene of(ControlPlanePeers peers, Function<String, RunningControlPlane> start) {
        peers.pullSecret();
        peers.template();
        return new ControlPlaneScene(peers, start.apply(peers.namespace));
    }

    /** A scene with a control plane that waits for its hosts, and outages that are measured by a clock. */
    static ControlPlaneScene withClock(TestCluster cluster, Clock clock) {
        return own(cluster, namespace -> RunningControlPlane.in(cluster, namespace, clock))
                .withControlPlane();
    }

    /** The same with another period of the queries for the cluster's health. */
    static ControlPlaneScene withClock(TestCluster cluster, Clock clock, Duration period) {
        return own(cluster, namespace -> RunningControlPlane.in(cluster, namespace, clock, period))
                .withControlPlane();
    }

    /** A scene with a control plane that waits for its hosts. */
    static ControlPlaneScene withControlPlane(RunningControlPlane running, String... changes) {
        return of(running).withControlPlane(changes);
    }

    /** The same with a manager and a registry of its own. */
    static ControlPlaneScene ownWithControlPlane(TestCluster cluster, String... changes) {
        return own(cluster).withControlPlane(changes);
    }

    private ControlPlaneScene withControlPlane(String... changes) {
        try {
            peers.controlPlane(changes);
            untilHostsAreAwaited();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Everything that is possible before hosts register has been created and reported. */
    void untilHostsAreAwaited() {
        untilHostsAreAwaited(peers);
    }

    static void untilHostsAreAwaited(ControlPlanePeers peers) {
        within(() -> peers.install() != null
                && peers.machines().size() == peers.current().getSpec().replicas()
                && condition(peers, "InstallSucceeding")
                        .map(Condition::reason)
                        .filter("WaitingForHosts"::equals)
                        .isPresent());
    }

    /** A change of the spec that asks for nothing has been reconciled, and with it all that was seen before. */
    void untilReconciled() {
        long before = peers.current().getMetadata().getGeneration();
        peers.edit("spec: {remediation: {maxRetry: %d}}".formatted(before));
        within(() -> {
            Long observed = status().observedGeneration();
            return observed != null && observed > before;
        });
    }

    static void within(Callable<Boolean> condition) {
        await().atMost(SOON).until(condition);
    }

    OpenshiftAssistedControlPlaneStatus status() {
        return status(peers);
    }

    static OpenshiftAssistedControlPlaneStatus status(ControlPlanePeers peers) {
        return Optional.ofNullable(peers.current().getStatus()).orElse(NOTHING);
    }

    boolean isTrue(String type) {
        return is(type, Condition.TRUE);
    }

    boolean is(String type, String status) {
        return condition(peers, type)
                .filter(condition -> condition.status().equals(status))
                .isPresent();
    }

    String reason(String type) {
        return condition(peers, type).map(Condition::reason).orElse("");
    }

    String message(String type) {
        return message(peers, type);
    }

    static String message(ControlPlanePeers peers, String type) {
        return condition(peers, type).map(Condition::message).orElse("");
    }

    static Optional<Condition> condition(ControlPlanePeers peers, String type) {
        return Optional.ofNullable(status(peers).conditions()).stream()
                .flatMap(List::stream)
                .filter(condition -> condition.type().equals(type))
                .findFirst();
    }

    @Override
    public void close() {
        if (running.isShared()) {
            peers.leave();
        } else {
            running.close();
        }
    }
}
