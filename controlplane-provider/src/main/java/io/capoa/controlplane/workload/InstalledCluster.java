package io.capoa.controlplane.workload;

import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;

/**
 * Read-only queries to a workload cluster. Each opens a connection of its own, because they are rare: until the API
 * server answers, and while control plane Machines change.
 */
public final class InstalledCluster {

    private InstalledCluster() {}

    /** Asks {@code /readyz}. */
    public static ApiServerReadiness readiness(String kubeconfig) {
        try (KubernetesClient client = WorkloadClusterAccess.open(kubeconfig)) {
            return new ApiServerReadiness("ok".equals(client.raw("/readyz")));
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return new ApiServerReadiness(false);
        }
    }

    /**
     * The release that the cluster runs or moves to.
     *
     * @param target the wanted release; while the cluster runs it, only its ClusterVersion and pools are read
     */
    public static ClusterUpgradeState upgrade(String kubeconfig, String target) {
        try (KubernetesClient client = WorkloadClusterAccess.open(kubeconfig)) {
            return new UpgradeReading(client).state(target);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return ClusterUpgradeState.unreachable(words(e));
        }
    }

    /** The cloud controller manager, and the Nodes that wait for it. */
    public static CloudControllerState cloudController(String kubeconfig) {
        try (KubernetesClient client = WorkloadClusterAccess.open(kubeconfig)) {
            return new CloudControllerReading(client).state();
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return CloudControllerState.unreachable(words(e));
        }
    }

    /** Health of etcd, by its operator and a live list of its members. */
    public static EtcdHealth etcd(String kubeconfig) {
        return etcdState(kubeconfig).health();
    }

    /** Health and members of etcd. */
    public static EtcdState etcdState(String kubeconfig) {
        try (KubernetesClient client = WorkloadClusterAccess.open(kubeconfig)) {
            return new EtcdReading(client).state();
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return EtcdState.unreachable(words(e));
        }
    }

    static Observed<EtcdState> etcdState(KubernetesClient client, Clock clock) {
        Instant begun = clock.instant();
        return new Observed<>(new EtcdReading(client).state(), begun);
    }

    /** A message for users; never the content of a kubeconfig. */
    static String words(RuntimeException e) {
        if (e instanceof KubernetesClientException refused && refused.getCode() > 0) {
            return refused.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED
                    ? "it refuses the kubeconfig (401)"
                    : "it answered " + refused.getCode();
        }
        if (e instanceof IllegalArgumentException) {
            return String.valueOf(e.getMessage());
        }
        return WorkloadClusterAccess.failure(e);
    }
}
