package io.capoa.controlplane.integration;

import static org.awaitility.Awaitility.await;
import static org.awaitility.pollinterval.IterativePollInterval.iterative;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.PollPause;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.registry.ReleaseRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** A control plane with its peers, the running reconciler, and access to its status. */
final class ControlPlaneScene implements AutoCloseable {

    static final Duration SOON = Duration.ofSeconds(30);

    private static final OpenshiftAssistedControlPlaneStatus NOTHING = new OpenshiftAssistedControlPlaneStatus(
            null, null, 0, null, null, null, null, null, null, null, null, null, null);

    final ControlPlanePeers peers;
    final RunningControlPlane running;

    private ControlPlaneScene(ControlPlanePeers peers, RunningControlPlane running) {
        this.peers = peers;
        this.running = running;
    }

    /** A namespace with only a pull secret and a machine template. */
    static ControlPlaneScene of(TestCluster cluster) {
        ControlPlanePeers peers = new ControlPlanePeers(cluster);
        peers.pullSecret();
        peers.template();
        return new ControlPlaneScene(peers, new RunningControlPlane(cluster, peers.namespace));
    }

    /** The same with a reconciler that has the rights of another user. */
    static ControlPlaneScene as(TestCluster cluster, String user) {
        ControlPlanePeers peers = new ControlPlanePeers(cluster);
        peers.pullSecret();
        peers.template();
        return new ControlPlaneScene(
                peers,
                new RunningControlPlane(
                        cluster.clientOf(user), Set.of(peers.namespace), ReleaseRegistry.start(Delays.none())));
    }

    /** A scene with a control plane that waits for its hosts, and outages that are measured by a clock. */
    static ControlPlaneScene withClock(TestCluster cluster, Clock clock) {
        return withClock(cluster, clock, Duration.ofSeconds(1));
    }

    /** The same with another period of the queries for the cluster's health. */
    static ControlPlaneScene withClock(TestCluster cluster, Clock clock, Duration period) {
        ControlPlanePeers peers = new ControlPlanePeers(cluster);
        peers.pullSecret();
        peers.template();
        ControlPlaneScene scene = new ControlPlaneScene(
                peers,
                new RunningControlPlane(
                        cluster.clientOf(KnownUsers.CONTROL_PLANE_PROVIDER),
                        Set.of(peers.namespace),
                        ReleaseRegistry.start(Delays.none()),
                        clock,
                        period));
        scene.peers.controlPlane();
        scene.untilHostsAreAwaited();
        return scene;
    }

    /** A scene with a control plane that waits for its hosts. */
    static ControlPlaneScene withControlPlane(TestCluster cluster, String... changes) {
        ControlPlaneScene scene = of(cluster);
        scene.peers.controlPlane(changes);
        scene.untilHostsAreAwaited();
        return scene;
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

    static void within(Callable<Boolean> condition) {
        await().atMost(SOON)
                .pollInterval(iterative(PollPause::after, PollPause.FIRST))
                .until(condition);
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
        running.close();
    }
}
