package io.capoa.controlplane.workload;

import io.capoa.api.contract.Fields;
import io.capoa.runtime.client.ByName;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Read-only queries to a workload cluster. Each opens a connection of its own, because they are rare: until the API
 * server answers, and while control plane Machines change.
 */
public final class InstalledCluster {

    private static final ResourceDefinitionContext CLUSTER_VERSION = new ResourceDefinitionContext.Builder()
            .withGroup("config.openshift.io")
            .withVersion("v1")
            .withKind("ClusterVersion")
            .withPlural("clusterversions")
            .withNamespaced(false)
            .build();

    /** What a control plane's status takes. */
    private static final int LONGEST_VERSION = 128;

    private InstalledCluster() {}

    /** Asks {@code /readyz}. */
    public static ApiServerReadiness readiness(String kubeconfig) {
        try (KubernetesClient client = WorkloadClusterAccess.open(kubeconfig)) {
            return new ApiServerReadiness("ok".equals(client.raw("/readyz")));
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return new ApiServerReadiness(false);
        }
    }

    /** The last completely rolled out release; {@code null} if the cluster does not answer or has none yet. */
    public static @Nullable String version(String kubeconfig) {
        try (KubernetesClient client = WorkloadClusterAccess.open(kubeconfig)) {
            GenericKubernetesResource version = ByName.select(
                            client.genericKubernetesResources(CLUSTER_VERSION), "version")
                    .get();
            return version == null
                    ? null
                    : Fields.list(version, "status", "history").stream()
                            .filter(entry -> "Completed".equals(Fields.any(entry, "state")))
                            .map(entry -> Fields.any(entry, "version"))
                            .filter(String.class::isInstance)
                            .map(String.class::cast)
                            .filter(known -> known.length() <= LONGEST_VERSION)
                            .findFirst()
                            .orElse(null);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return null;
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
