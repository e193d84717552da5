package io.capoa.controlplane.workload;

import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.ReleaseName;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeDecision.Change;
import io.capoa.controlplane.upgrade.UpgradePlanner;
import io.capoa.controlplane.upgrade.UpgradeRequest;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes a workload cluster for an upgrade: one change a call, decided on what the cluster says in that moment. */
public final class ClusterUpgrader {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private ClusterUpgrader() {}

    /**
     * Reads, decides, and makes at most one change. A change of the ClusterVersion that another client makes meanwhile is
     * never overwritten.
     *
     * @param kubeconfig base64, as a Secret holds it
     * @param fence asked immediately before a change: why none may be made, {@code null} if one may
     * @return the decision; a {@link Change} has been made
     */
    public static UpgradeDecision proceed(String kubeconfig, UpgradeRequest request, Supplier<@Nullable String> fence) {
        try (KubernetesClient client = WorkloadClusterAccess.open(kubeconfig)) {
            UpgradeReading reading = new UpgradeReading(client);
            GenericKubernetesResource version = reading.clusterVersion();
            ClusterUpgradeState seen = reading.state(request.target());
            UpgradeDecision decision = UpgradePlanner.next(request, seen);
            if (!(decision instanceof Change change) || version == null) {
                return decision;
            }
            String obstacle = fence.get();
            if (obstacle != null) {
                return new UpgradeDecision.Moving("waiting: " + obstacle);
            }
            make(client, change, version);
            return change;
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return e instanceof KubernetesClientException refused
                            && refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                    ? new UpgradeDecision.Moving("the cluster has changed concurrently and is read again")
                    : new UpgradeDecision.Unreachable(
                            "the cluster did not take the change: " + InstalledCluster.words(e));
        }
    }

    private static void make(KubernetesClient client, Change change, GenericKubernetesResource version) {
        switch (change) {
            case UpgradeDecision.Acknowledge acknowledge -> acknowledge(client, acknowledge.gates());
            case UpgradeDecision.SetChannel set -> patch(client, version, Map.of("channel", set.channel()));
            case UpgradeDecision.Request request ->
                patch(client, version, Map.of("desiredUpdate", desiredUpdate(request.release(), request.force())));
        }
    }

    /** As {@code oc} writes it: version and image, and no architecture, which excludes the image. */
    private static Map<String, Object> desiredUpdate(ReleaseName release, boolean force) {
        return Map.of("version", release.version(), "image", release.image(), "force", force, "architecture", "");
    }

    private static void patch(KubernetesClient client, GenericKubernetesResource read, Map<String, Object> spec) {
        Map<String, Object> patch = new TreeMap<>();
        patch.put(
                "metadata",
                Map.of(
                        "uid", Objects.requireNonNull(read.getMetadata().getUid()),
                        "resourceVersion",
                                Objects.requireNonNull(read.getMetadata().getResourceVersion())));
        patch.put("spec", spec);
        var unused = client.genericKubernetesResources(UpgradeReading.CLUSTER_VERSION)
                .withName(read.getMetadata().getName())
                .patch(MERGE, client.getKubernetesSerialization().asJson(patch));
    }

    private static void acknowledge(KubernetesClient client, List<String> gates) {
        TreeMap<String, String> data = new TreeMap<>();
        gates.forEach(gate -> data.put(gate, "true"));
        var acks = client.configMaps()
                .inNamespace(UpgradeReading.ADMIN_ACKS_NAMESPACE)
                .withName(UpgradeReading.ADMIN_ACKS);
        var unused = acks.get() == null
                ? client.resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace(UpgradeReading.ADMIN_ACKS_NAMESPACE)
                                .withName(UpgradeReading.ADMIN_ACKS)
                                .endMetadata()
                                .withData(data)
                                .build())
                        .create()
                : acks.patch(MERGE, client.getKubernetesSerialization().asJson(Map.of("data", data)));
    }
}
