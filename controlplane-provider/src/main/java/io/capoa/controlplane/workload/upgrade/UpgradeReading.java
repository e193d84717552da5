package io.capoa.controlplane.workload.upgrade;

import io.capoa.api.Annotations;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.upgrade.AdminGates;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.ClusterUpgradeState.Operators;
import io.capoa.controlplane.upgrade.ClusterVersionState;
import io.capoa.controlplane.upgrade.PoolState;
import io.capoa.controlplane.workload.client.WorkloadKinds;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what an upgrade of a workload cluster depends on. It changes nothing. */
public final class UpgradeReading {

    static final String ADMIN_ACKS_NAMESPACE = "openshift-config";
    static final String ADMIN_ACKS = "admin-acks";

    private static final int LONGEST_TEXT = 600;

    private final KubernetesClient client;

    public UpgradeReading(KubernetesClient client) {
        this.client = client;
    }

    /**
     * The state; throws {@link KubernetesClientException} when the API does not answer.
     *
     * @param target the wanted release; while the cluster runs it, only the ClusterVersion and the pools are read
     */
    public ClusterUpgradeState state(String target) {
        GenericKubernetesResource object = clusterVersion();
        ClusterVersionState version = object == null ? null : ClusterVersionState.of(object);
        ClusterUpgradeState first = ClusterUpgradeState.of(version, pools());
        return version == null || first.isAtRest(target)
                ? first
                : new ClusterUpgradeState(
                        "", version, first.pools(), operators(version.desired().version()), gates());
    }

    /** The ClusterVersion; {@code null} if there is none. */
    @Nullable
    OpenshiftClusterVersion clusterVersion() {
        return WorkloadKinds.named(client.resources(OpenshiftClusterVersion.class), OpenshiftClusterVersion.NAME);
    }

    List<GenericKubernetesResource> poolObjects() {
        return list(WorkloadKinds.MACHINE_CONFIG_POOL);
    }

    private List<PoolState> pools() {
        return poolObjects().stream()
                .map(UpgradeReading::pool)
                .sorted(Comparator.comparing(PoolState::name))
                .toList();
    }

    private static PoolState pool(GenericKubernetesResource pool) {
        return new PoolState(
                UntrustedContent.name(pool.getMetadata().getName()),
                Fields.isTrue(pool, "spec", "paused"),
                isHeld(pool),
                ConditionView.of(pool, "Degraded")
                        .filter(ConditionView::isTrue)
                        .map(condition -> ConditionView.of(pool, "NodeDegraded")
                                .filter(ConditionView::isTrue)
                                .orElse(condition))
                        .map(condition -> condition.message().isEmpty()
                                ? "no message"
                                : UntrustedContent.quoted(condition.message(), LONGEST_TEXT))
                        .orElse(""),
                count(pool, "machineCount"),
                count(pool, "updatedMachineCount"),
                isSettled(pool));
    }

    private static boolean isHeld(GenericKubernetesResource pool) {
        return Annotations.has(pool, Annotations.PAUSED_FOR_UPGRADE);
    }

    /**
     * Right after an upgrade a pool may still be Updated to the configuration before. A Node that is not ready takes Updated
     * from its pool, too, but not the configuration from the Node.
     */
    private static boolean isSettled(GenericKubernetesResource pool) {
        Long generation = pool.getMetadata().getGeneration();
        Integer observed = Fields.integer(pool, "status", "observedGeneration");
        return count(pool, "updatedMachineCount") == count(pool, "machineCount")
                && Objects.equals(
                        Fields.any(pool, "spec", "configuration", "name"),
                        Fields.any(pool, "status", "configuration", "name"))
                && (generation == null || observed == null || observed >= generation);
    }

    private static int count(GenericKubernetesResource pool, String field) {
        return Objects.requireNonNullElse(Fields.integer(pool, "status", field), 0);
    }

    private Operators operators(String version) {
        List<GenericKubernetesResource> all = list(WorkloadKinds.CLUSTER_OPERATOR);
        long updated = all.stream()
                .filter(operator -> Fields.list(operator, "status", "versions").stream()
                        .anyMatch(entry -> "operator".equals(Fields.text(entry, "name"))
                                && version.equals(Fields.text(entry, "version"))))
                .count();
        return new Operators((int) updated, all.size());
    }

    private AdminGates gates() {
        SortedMap<String, String> gates = new TreeMap<>();
        data(configMap("openshift-config-managed", "admin-gates"))
                .forEach((key, text) -> gates.put(
                        UntrustedContent.quoted(key, LONGEST_TEXT), UntrustedContent.quoted(text, LONGEST_TEXT)));
        Set<String> given = new HashSet<>();
        data(acknowledgements()).forEach((key, value) -> {
            if (value.equals("true")) {
                given.add(key);
            }
        });
        return new AdminGates(gates, given);
    }

    /** ConfigMap {@code admin-acks}; {@code null} if there is none. */
    @Nullable
    ConfigMap acknowledgements() {
        return configMap(ADMIN_ACKS_NAMESPACE, ADMIN_ACKS);
    }

    private @Nullable ConfigMap configMap(String namespace, String name) {
        return WorkloadKinds.named(client.configMaps().inNamespace(namespace), name);
    }

    private static Map<String, String> data(@Nullable ConfigMap map) {
        return map == null || map.getData() == null ? Map.of() : map.getData();
    }

    private List<GenericKubernetesResource> list(ResourceDefinitionContext kind) {
        return WorkloadKinds.served(
                () -> client.genericKubernetesResources(kind).list().getItems());
    }
}
