package io.capoa.lab.controlplane;

import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.actors.Delays;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.registry.ReleaseRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/** A control plane with its neighbours, the running reconciler, and access to its status. */
final class Scene implements AutoCloseable {

    static final Duration SOON = Duration.ofSeconds(30);

    private static final OpenshiftAssistedControlPlaneStatus NOTHING =
            new OpenshiftAssistedControlPlaneStatus(null, null, 0, null, null, null, null, null, null, null, null);

    final Neighbours neighbours;
    final RunningControlPlane running;

    private Scene(Neighbours neighbours, RunningControlPlane running) {
        this.neighbours = neighbours;
        this.running = running;
    }

    /** A namespace with only a pull secret and a machine template. */
    static Scene of(TestCluster cluster) {
        Neighbours neighbours = new Neighbours(cluster);
        neighbours.pullSecret();
        neighbours.template();
        return new Scene(neighbours, new RunningControlPlane(cluster, neighbours.namespace));
    }

    /** The same with a reconciler that has the rights of another user. */
    static Scene as(TestCluster cluster, String user) {
        Neighbours neighbours = new Neighbours(cluster);
        neighbours.pullSecret();
        neighbours.template();
        return new Scene(
                neighbours,
                new RunningControlPlane(
                        cluster.clientOf(user), Set.of(neighbours.namespace), ReleaseRegistry.start(Delays.none())));
    }

    /** A scene with a control plane that waits for its hosts. */
    static Scene withControlPlane(TestCluster cluster, String... changes) {
        Scene scene = of(cluster);
        scene.neighbours.controlPlane(changes);
        scene.untilHostsAreAwaited();
        return scene;
    }

    /** Everything that is possible before hosts register has been created and reported. */
    void untilHostsAreAwaited() {
        untilHostsAreAwaited(neighbours);
    }

    static void untilHostsAreAwaited(Neighbours neighbours) {
        within(() -> neighbours.install() != null
                && neighbours.machines().size()
                        == neighbours.current().getSpec().replicas()
                && condition(neighbours, "InstallSucceeding")
                        .map(Condition::reason)
                        .filter("WaitingForHosts"::equals)
                        .isPresent());
    }

    static void within(Callable<Boolean> condition) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(25)).until(condition);
    }

    OpenshiftAssistedControlPlaneStatus status() {
        return status(neighbours);
    }

    static OpenshiftAssistedControlPlaneStatus status(Neighbours neighbours) {
        return Optional.ofNullable(neighbours.current().getStatus()).orElse(NOTHING);
    }

    boolean isTrue(String type) {
        return is(type, Condition.TRUE);
    }

    boolean is(String type, String status) {
        return condition(neighbours, type)
                .filter(condition -> condition.status().equals(status))
                .isPresent();
    }

    String reason(String type) {
        return condition(neighbours, type).map(Condition::reason).orElse("");
    }

    String message(String type) {
        return message(neighbours, type);
    }

    static String message(Neighbours neighbours, String type) {
        return condition(neighbours, type).map(Condition::message).orElse("");
    }

    static Optional<Condition> condition(Neighbours neighbours, String type) {
        return Optional.ofNullable(status(neighbours).conditions()).stream()
                .flatMap(List::stream)
                .filter(condition -> condition.type().equals(type))
                .findFirst();
    }

    @Override
    public void close() {
        running.close();
    }
}
