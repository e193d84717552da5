package io.capoa.controlplane.integration;

import io.capoa.controlplane.reconcile.ControlPlaneReconciler;
import io.capoa.controlplane.release.RegistryAccess;
import io.capoa.controlplane.release.RegistryMirrors;
import io.capoa.controlplane.release.Releases;
import io.capoa.controlplane.workload.WorkloadClusterPoller;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.registry.ReleaseRegistry;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;

/** The reconciler with its own user and rights, and a registry with releases. */
final class RunningControlPlane implements AutoCloseable {

    private static final String FIELD_MANAGER = "capoa-controlplane";

    final ReleaseRegistry registry;
    private final KubernetesClient client;
    private final Releases releases;
    private final WorkloadClusterPoller inquiries;
    private final Operator operator;

    RunningControlPlane(TestCluster cluster, String... namespaces) {
        this(cluster, Set.of(namespaces), ReleaseRegistry.start(Delays.none()));
    }

    RunningControlPlane(TestCluster cluster, Set<String> namespaces, ReleaseRegistry registry) {
        this(cluster.clientOf(KnownUsers.CONTROL_PLANE_PROVIDER), namespaces, registry);
    }

    /** With the user of the client, which is closed with it. */
    RunningControlPlane(KubernetesClient identity, Set<String> namespaces, ReleaseRegistry registry) {
        this(identity, namespaces, registry, Clock.systemUTC(), Duration.ofSeconds(1));
    }

    /**
     * With another clock and period.
     *
     * @param clock by which outages of workload clusters and the age of their answers are measured
     * @param period of the queries for their health
     */
    RunningControlPlane(
            KubernetesClient identity, Set<String> namespaces, ReleaseRegistry registry, Clock clock, Duration period) {
        this.registry = registry;
        inquiries = new WorkloadClusterPoller(clock, period);
        client = identity;
        releases = Releases.start(new RegistryAccess(RegistryMirrors.parse(registry.registriesConf()), ""));
        operator = new Operator(configuration -> configuration
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withStopOnInformerErrorDuringStartup(false)
                .withCacheSyncTimeout(Duration.ofSeconds(5))
                .checkingCRDAndValidateLocalModel(false));
        operator.register(
                new ControlPlaneReconciler(
                        client,
                        new Applier(client, FIELD_MANAGER),
                        releases,
                        inquiries,
                        new EventRecorder(client, FIELD_MANAGER, Clock.systemUTC()),
                        clock,
                        () -> true),
                configuration -> {
                    ControlPlaneReconciler.configure(configuration);
                    configuration.withFieldManager(FIELD_MANAGER).settingNamespaces(namespaces);
                });
        operator.start();
    }

    /** Stops the reconciler; the registry keeps running. */
    void stopReconciling() {
        operator.stop();
        releases.close();
        inquiries.close();
        client.close();
    }

    @Override
    public void close() {
        stopReconciling();
        registry.close();
    }
}
