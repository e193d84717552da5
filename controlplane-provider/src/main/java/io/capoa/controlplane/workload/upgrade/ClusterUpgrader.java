package io.capoa.controlplane.workload.upgrade;

import io.capoa.api.Annotations;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.ClusterVersionState;
import io.capoa.controlplane.upgrade.PoolPauses;
import io.capoa.controlplane.upgrade.ReleaseName;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeDecision.Change;
import io.capoa.controlplane.upgrade.UpgradePlanner;
import io.capoa.controlplane.upgrade.UpgradeRequest;
import io.capoa.controlplane.workload.client.WorkloadClients;
import io.capoa.controlplane.workload.client.WorkloadClusterAccess;
import io.capoa.controlplane.workload.client.WorkloadFailure;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes a workload cluster for an upgrade: one change a call, decided on what the cluster says in that moment. */
public final class ClusterUpgrader {

    /** As the provider's field manager in the management cluster. */
    private static final String FIELD_MANAGER = "capoa-controlplane";

    private ClusterUpgrader() {}

    /**
     * Reads, decides, and makes at most one change. A change of the ClusterVersion that another client makes meanwhile is
     * never overwritten.
     *
     * @param kubeconfig base64, as a Secret holds it
     * @param planned the change that the caller has checked; no other is made
     * @param fence asked immediately before a change: why none may be made, {@code null} if one may
     * @return the decision; a {@link Change} has been made
     */
    public static UpgradeDecision proceed(
            String kubeconfig, UpgradeRequest request, Change planned, Supplier<@Nullable String> fence) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            KubernetesClient client = lease.client();
            UpgradeReading reading = new UpgradeReading(client);
            OpenshiftClusterVersion version = reading.clusterVersion();
            ClusterUpgradeState seen = reading.state(request.target());
            UpgradeDecision decision = UpgradePlanner.next(request, seen);
            if (!(decision instanceof Change change) || version == null) {
                return decision;
            }
            if (change.getClass() != planned.getClass()) {
                return new UpgradeDecision.Moving("the cluster has changed and is read again");
            }
            String obstacle = fence.get();
            if (obstacle != null) {
                return new UpgradeDecision.Moving("waiting: " + obstacle);
            }
            make(new Applier(client, FIELD_MANAGER), change, version, reading);
            return change;
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return e instanceof KubernetesClientException refused
                            && refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                    ? new UpgradeDecision.Moving("the cluster has changed concurrently and is read again")
                    : new UpgradeDecision.Unreachable(
                            "the cluster did not take the change: " + WorkloadFailure.words(e));
        }
    }

    /**
     * Pauses MachineConfigPools, or ends pauses of the provider, as the cluster's present pools need it.
     *
     * @param controlPlane name of the control plane, which marks the pauses
     * @param fence as of {@link #proceed}
     * @return what was done, or why it was not; empty if nothing was to be done
     */
    public static Optional<String> pausePools(
            String kubeconfig, UpgradeRequest request, String controlPlane, Supplier<@Nullable String> fence) {
        try (WorkloadClients.Lease lease = WorkloadClusterAccess.open(kubeconfig)) {
            UpgradeReading reading = new UpgradeReading(lease.client());
            List<PoolPauses.PoolPatch> changes = PoolPauses.changes(request, reading.state(request.target()));
            String obstacle = changes.isEmpty() ? null : fence.get();
            if (obstacle != null) {
                return Optional.of("waiting: " + obstacle);
            }
            Applier applier = new Applier(lease.client(), FIELD_MANAGER);
            List<GenericKubernetesResource> pools = reading.poolObjects();
            for (PoolPauses.PoolPatch change : changes) {
                pools.stream()
                        .filter(pool -> pool.getMetadata().getName().equals(change.pool()))
                        .forEach(pool -> applier.patchIfUnchanged(pool, change.patch(controlPlane)));
            }
            return changes.stream().map(PoolPauses.PoolPatch::message).reduce((a, b) -> a + ", " + b);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return Optional.of("a MachineConfigPool did not take the change of its pause: " + WorkloadFailure.words(e));
        }
    }

    private static void make(Applier applier, Change change, OpenshiftClusterVersion version, UpgradeReading reading) {
        switch (change) {
            case UpgradeDecision.Acknowledge acknowledge -> acknowledge(applier, reading, acknowledge.gates());
            case UpgradeDecision.SetChannel set ->
                applier.patchIfUnchanged(version, Map.of("spec", Map.of("channel", set.channel())));
            case UpgradeDecision.Request request ->
                applier.patchIfUnchanged(
                        version,
                        update(
                                ClusterVersionState.mark(request.release(), request.force()),
                                desiredUpdate(request.release(), request.force())));
            case UpgradeDecision.Withdraw ignored -> applier.patchIfUnchanged(version, update(null, null));
        }
    }

    /** With the mark by which a later decision finds out whose request it is. */
    private static Map<String, Object> update(@Nullable String mark, @Nullable Map<String, Object> desiredUpdate) {
        Map<String, @Nullable Object> annotations = new HashMap<>();
        annotations.put(Annotations.REQUESTED_UPDATE, mark);
        Map<String, @Nullable Object> spec = new HashMap<>();
        spec.put("desiredUpdate", desiredUpdate);
        return Map.of("metadata", Map.of("annotations", annotations), "spec", spec);
    }

    /** As {@code oc} writes it: version and image, and no architecture, which excludes the image. */
    private static Map<String, Object> desiredUpdate(ReleaseName release, boolean force) {
        return Map.of("version", release.version(), "image", release.image(), "force", force, "architecture", "");
    }

    private static void acknowledge(Applier applier, UpgradeReading reading, List<String> gates) {
        SortedMap<String, String> data = new TreeMap<>();
        gates.forEach(gate -> data.put(gate, "true"));
        ConfigMap known = reading.acknowledgements();
        ConfigMap existing = known != null
                ? known
                : applier.createOrRead(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(UpgradeReading.ADMIN_ACKS_NAMESPACE)
                        .withName(UpgradeReading.ADMIN_ACKS)
                        .endMetadata()
                        .withData(data)
                        .build());
        if (existing != null) {
            var unused = applier.patch(existing, Map.of("data", data));
        }
    }
}
