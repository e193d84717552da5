package io.capoa.controlplane.workload;

import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.workload.client.ClusterCertificates;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.client.WorkloadClients;
import io.capoa.controlplane.workload.client.WorkloadClusterAccess;
import io.capoa.controlplane.workload.client.WorkloadFailure;
import io.capoa.controlplane.workload.client.WorkloadKubeconfig;
import io.capoa.controlplane.workload.client.WorkloadTls;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.health.ApiServerReadiness;
import io.capoa.controlplane.workload.health.CloudControllerReading;
import io.capoa.controlplane.workload.health.CloudControllerState;
import io.capoa.controlplane.workload.health.ControlPlaneHealth;
import io.capoa.controlplane.workload.health.EtcdReading;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.controlplane.workload.health.HealthQueries;
import io.capoa.controlplane.workload.health.HealthReading;
import io.capoa.controlplane.workload.health.HealthRounds;
import io.capoa.controlplane.workload.health.HealthSnapshot;
import io.capoa.controlplane.workload.health.OperatorReports;
import io.capoa.controlplane.workload.upgrade.NodeUpdate;
import io.capoa.controlplane.workload.upgrade.NodeUpdateReading;
import io.capoa.controlplane.workload.upgrade.UpgradeReading;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Read-only queries to a workload cluster. All queries with one kubeconfig share a client, whose connections last until the
 * next query of the minute.
 */
public final class InstalledCluster {

    private InstalledCluster() {}

    /** Asks {@code /readyz}. */
    public static ApiServerReadiness readiness(String kubeconfig) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            return readiness(lease.client());
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return new ApiServerReadiness(false);
        }
    }

    private static ApiServerReadiness readiness(KubernetesClient client) {
        return new ApiServerReadiness(HealthReading.OK.equals(client.raw(HealthReading.READYZ)));
    }

    /**
     * The release that the cluster runs or moves to.
     *
     * @param target the wanted release; while the cluster runs it, only its ClusterVersion and pools are read
     */
    public static ClusterUpgradeState upgrade(String kubeconfig, String target) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            return new UpgradeReading(lease.client()).state(target);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return ClusterUpgradeState.unreachable(WorkloadFailure.words(e));
        }
    }

    /** The cloud controller manager, and the Nodes that wait for it. */
    public static CloudControllerState cloudController(String kubeconfig) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            return new CloudControllerReading(lease.client()).state();
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return CloudControllerState.unreachable(WorkloadFailure.words(e));
        }
    }

    /**
     * Health of the installed control plane, of an earlier snapshot if this round keeps it, with the certificates of now.
     *
     * @param known as of {@link HealthRounds#next}
     */
    public static ControlPlaneHealth health(String kubeconfig, HealthRounds rounds, Object known, Clock clock) {
        Health queries = new Health(kubeconfig, clock);
        return rounds.next(known, queries).with(queries.certificates);
    }

    /** The queries of one round. */
    private static final class Health implements HealthQueries {

        private final String kubeconfig;
        private final Clock clock;
        private ClusterCertificates certificates = ClusterCertificates.UNKNOWN;

        private Health(String kubeconfig, Clock clock) {
            this.kubeconfig = kubeconfig;
            this.clock = clock;
        }

        @Override
        public ApiServerReadiness readiness() {
            return ask(InstalledCluster::readiness, e -> new ApiServerReadiness(false));
        }

        @Override
        public Optional<OperatorReports> reports(OperatorReports before) {
            return ask(client -> Optional.of(new HealthReading(client).reports(before)), e -> Optional.empty());
        }

        @Override
        public HealthSnapshot snapshot() {
            return ask(
                    client -> new HealthReading(client).snapshot(),
                    e -> HealthSnapshot.lost(
                            WorkloadFailure.isRefused(e)
                                    ? ControlPlaneHealth.Api.refused(WorkloadFailure.words(e))
                                    : new ControlPlaneHealth.Api(WorkloadFailure.words(e), false)));
        }

        private <T> T ask(Function<KubernetesClient, T> query, Function<RuntimeException, T> failed) {
            try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
                try {
                    return query.apply(lease.client());
                } finally {
                    certificates = lease.certificates(clock.instant());
                }
            } catch (KubernetesClientException | IllegalArgumentException e) {
                return failed.apply(e);
            }
        }
    }

    /**
     * What the machine-config operator has done to a Node. Answers within seven seconds.
     *
     * @param node name of the Node
     */
    public static NodeUpdate nodeUpdate(String kubeconfig, String node) {
        try (KubernetesClient client = WorkloadClusterAccess.open(kubeconfig, NodeUpdateReading.PATIENCE_MILLIS)) {
            return new NodeUpdateReading(client).of(node);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return NodeUpdate.unreachable(WorkloadFailure.words(e));
        }
    }

    /** Health of etcd, by its operator and a live list of its members. */
    public static EtcdHealth etcd(String kubeconfig) {
        return etcdState(kubeconfig).health();
    }

    /** Health and members of etcd. */
    public static EtcdState etcdState(String kubeconfig) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            return new EtcdReading(lease.client()).state();
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return EtcdState.unreachable(WorkloadFailure.words(e));
        }
    }

    public static Observed<EtcdState> etcdState(KubernetesClient client, Clock clock) {
        Instant begun = clock.instant();
        return new Observed<>(new EtcdReading(client).state(), begun);
    }

    /** Whether a kubeconfig, base64, can be used; the cluster is not asked. */
    public static boolean isKubeconfig(String content) {
        try {
            var unused = WorkloadTls.of(WorkloadKubeconfig.parse(content));
            return true;
        } catch (IllegalArgumentException unusable) {
            return false;
        }
    }
}
