package io.capoa.controlplane.workload.etcd;

import io.capoa.api.contract.Fields;
import io.capoa.controlplane.workload.client.WorkloadClients;
import io.capoa.controlplane.workload.client.WorkloadClusterAccess;
import io.capoa.controlplane.workload.client.WorkloadFailure;
import io.capoa.controlplane.workload.client.WorkloadKinds;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The quorum guard of a workload cluster's etcd operator, which keeps it from rolling out a third member to two. OpenShift
 * documents its override for the replacement of a lost member, and does not support it otherwise.
 */
public final class QuorumGuard {

    private static final String OVERRIDE = "useUnsupportedUnsafeNonHANonProductionUnstableEtcd";
    private static final String FIELD_MANAGER = "capoa-controlplane";

    private QuorumGuard() {}

    /**
     * Whether the guard is overridden, by whomever; not if the cluster does not answer.
     *
     * @param kubeconfig base64, as a Secret holds it
     */
    public static boolean isOverridden(String kubeconfig) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            OpenshiftEtcd etcd = WorkloadKinds.named(lease.client().resources(OpenshiftEtcd.class), OpenshiftEtcd.NAME);
            return etcd != null && Fields.isTrue(etcd, "spec", "unsupportedConfigOverrides", OVERRIDE);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Overrides the guard, or restores it.
     *
     * @param kubeconfig base64, as a Secret holds it
     * @return why the cluster did not take the change; {@code null} if it did
     */
    public static @Nullable String override(String kubeconfig, boolean overridden) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            KubernetesClient client = lease.client();
            OpenshiftEtcd etcd = WorkloadKinds.named(client.resources(OpenshiftEtcd.class), OpenshiftEtcd.NAME);
            if (etcd == null) {
                return "Etcd cluster does not exist there";
            }
            Map<String, Object> overrides = new HashMap<>();
            overrides.put(OVERRIDE, overridden ? Boolean.TRUE : null);
            var unused = new Applier(client, FIELD_MANAGER)
                    .patch(etcd, Map.of("spec", Map.of("unsupportedConfigOverrides", overrides)));
            return null;
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return WorkloadFailure.words(e);
        }
    }
}
