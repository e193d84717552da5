package io.capoa.controlplane.integration;

import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.Ports;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.registry.ReleaseRegistry;
import io.capoa.lab.report.ReconcileTriggers;
import io.capoa.runtime.manager.EmbeddedManager;
import io.capoa.runtime.manager.Manager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The provider's manager in this JVM, as in production, with its own user and rights, and a registry with releases. */
final class RunningControlPlane implements AutoCloseable {

    /** Of the queries for the health of workload clusters; a minute in production. */
    private static final Duration HEALTH_PERIOD = Duration.ofSeconds(1);

    private static final String FILTER = "scenes";

    final TestCluster cluster;
    final ReleaseRegistry registry = ReleaseRegistry.start(Delays.none());
    private final String user;
    private final String scope;
    private final Clock clock;
    private final Path registriesConf;
    private final int metrics = Ports.free(1).getFirst();
    private @Nullable EmbeddedManager manager;

    private RunningControlPlane(TestCluster cluster, String user, String scope, Clock clock, Duration healthPeriod) {
        this.cluster = cluster;
        this.user = user;
        this.scope = scope;
        this.clock = clock;
        this.registriesConf = file(registry.registriesConf());
        start(healthPeriod);
    }

    /** For the control planes with the label of its watch filter, in all namespaces. */
    static RunningControlPlane filtered(TestCluster cluster) {
        return new RunningControlPlane(
                cluster,
                KnownUsers.CONTROL_PLANE_PROVIDER,
                "--watch-filter=" + FILTER,
                Clock.systemUTC(),
                HEALTH_PERIOD);
    }

    /** For one namespace. */
    static RunningControlPlane in(TestCluster cluster, String namespace) {
        return as(cluster, KnownUsers.CONTROL_PLANE_PROVIDER, namespace);
    }

    /** For one namespace, with the rights of another user. */
    static RunningControlPlane as(TestCluster cluster, String user, String namespace) {
        return new RunningControlPlane(cluster, user, "--namespace=" + namespace, Clock.systemUTC(), HEALTH_PERIOD);
    }

    /** For one namespace, with another clock. */
    static RunningControlPlane in(TestCluster cluster, String namespace, Clock clock) {
        return in(cluster, namespace, clock, HEALTH_PERIOD);
    }

    /** For one namespace, with another clock and another period of the queries for the health of workload clusters. */
    static RunningControlPlane in(TestCluster cluster, String namespace, Clock clock, Duration healthPeriod) {
        return new RunningControlPlane(
                cluster, KnownUsers.CONTROL_PLANE_PROVIDER, "--namespace=" + namespace, clock, healthPeriod);
    }

    private static Path file(String registriesConf) {
        try {
            Path file = Files.writeString(Files.createTempFile("registries", ".conf"), registriesConf);
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The value of the watch filter's label; empty if it reconciles whatever is in its namespace. */
    String watchFilter() {
        return isShared() ? FILTER : "";
    }

    /** Whether it reconciles for other tests, too. */
    boolean isShared() {
        return scope.endsWith(FILTER);
    }

    /** Starts a successor after {@link #stop}. */
    void start() {
        start(HEALTH_PERIOD);
    }

    /** The same with another period of the queries for the health of workload clusters. */
    void start(Duration healthPeriod) {
        try {
            manager = Manager.start(
                    ControlPlaneProvider.DESCRIPTION,
                    new ControlPlaneProvider(clock, healthPeriod),
                    "--kubeconfig=" + cluster.kubeconfigOf(user),
                    "--metrics-bind-address=127.0.0.1:" + metrics,
                    "--metrics-secure=false",
                    "--health-probe-bind-address=0",
                    "--webhook-port=0",
                    "--registries-conf=" + registriesConf,
                    scope);
        } catch (Exception e) {
            registry.close();
            throw new IllegalStateException(e);
        }
    }

    /** Reconciles so far, by the event source that woke them. */
    ReconcileTriggers triggers() {
        return ReconcileTriggers.at(metrics);
    }

    /** Stops the manager; the registry keeps running. */
    void stop() {
        EmbeddedManager running = manager;
        if (running != null) {
            running.close();
        }
        manager = null;
    }

    @Override
    public void close() {
        stop();
        registry.close();
    }
}
