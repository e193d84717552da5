package io.capoa.lab.recorded;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Acts for Cluster API core and assisted-service where a recording of states shows nothing: owner references, the name of
 * the data Secret, finalizers and deletion.
 */
final class CoreDuties implements AutoCloseable {

    private static final String MACHINE_FINALIZER = "machine.cluster.x-k8s.io";
    private static final String CLUSTER_FINALIZER = "cluster.cluster.x-k8s.io";
    private static final long PAUSE_MILLIS = 200;

    private final Stage stage;
    private final String cluster;
    private final Thread thread;
    private boolean hadDeployment;

    CoreDuties(Stage stage, String cluster) {
        this.stage = stage;
        this.cluster = cluster;
        this.thread = Thread.ofVirtual().start(this::run);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                round();
                Thread.sleep(PAUSE_MILLIS);
            } catch (KubernetesClientException e) {
                // Changed or deleted meanwhile: the next round retries.
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Reads every kind once: of many Machines the server would be asked for each. */
    private void round() {
        List<Machine> machines = stage.list(Machine.class);
        Map<String, Metal3Machine> infrastructure = byName(Metal3Machine.class);
        Map<String, OpenshiftAssistedConfig> configs = byName(OpenshiftAssistedConfig.class);
        for (Machine machine : machines) {
            String name = machine.getMetadata().getName();
            machine(machine, infrastructure.get(name), configs.get(name));
        }
        Cluster owner = stage.find(Cluster.class, cluster);
        controlPlane(owner);
        cluster(owner, machines);
        agents();
    }

    private <T extends HasMetadata> Map<String, T> byName(Class<T> kind) {
        return stage.list(kind).stream()
                .collect(Collectors.toMap(object -> object.getMetadata().getName(), Function.identity()));
    }

    private void machine(
            Machine machine, @Nullable Metal3Machine infrastructure, @Nullable OpenshiftAssistedConfig config) {
        String name = machine.getMetadata().getName();
        if (machine.getMetadata().getDeletionTimestamp() != null) {
            release(machine, infrastructure, config);
            return;
        }
        if (machine.getMetadata().getFinalizers().isEmpty()) {
            stage.merge(Machine.class, name, Map.of("metadata", Map.of("finalizers", List.of(MACHINE_FINALIZER))));
        }
        adopt(machine, infrastructure);
        adopt(machine, config);
        String data = config == null || config.getStatus() == null
                ? null
                : config.getStatus().dataSecretName();
        if (data != null && Fields.string(machine, "spec", "bootstrap", "dataSecretName") == null) {
            stage.merge(Machine.class, name, Map.of("spec", Map.of("bootstrap", Map.of("dataSecretName", data))));
        }
    }

    private void release(
            Machine machine, @Nullable Metal3Machine infrastructure, @Nullable OpenshiftAssistedConfig config) {
        boolean held = machine.getMetadata().getAnnotations() != null
                && machine.getMetadata().getAnnotations().keySet().stream()
                        .anyMatch(key -> key.startsWith(Annotations.PRE_TERMINATE_HOOK_PREFIX));
        if (held) {
            return;
        }
        String name = machine.getMetadata().getName();
        if (infrastructure != null) {
            stage.delete(Metal3Machine.class, name);
        } else if (config != null) {
            stage.delete(OpenshiftAssistedConfig.class, name);
        } else {
            stage.merge(Machine.class, name, Map.of("metadata", Map.of("finalizers", List.of())));
        }
    }

    private void adopt(Machine machine, @Nullable HasMetadata object) {
        if (object == null
                || object.getMetadata().getDeletionTimestamp() != null
                || object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getKind().equals("Machine"))) {
            return;
        }
        stage.merge(object.getClass(), machine.getMetadata().getName(), adoption(machine, "Machine"));
    }

    private void controlPlane(@Nullable Cluster owner) {
        OpenshiftAssistedControlPlane object = stage.find(OpenshiftAssistedControlPlane.class, cluster);
        if (object != null
                && owner != null
                && object.getMetadata().getOwnerReferences().isEmpty()) {
            stage.merge(OpenshiftAssistedControlPlane.class, cluster, adoption(owner, "Cluster"));
        }
    }

    /** The patch by which core adopts an object: owner reference and cluster-name label. */
    private Map<String, Object> adoption(HasMetadata owner, String kind) {
        return Map.of(
                "metadata",
                Map.of(
                        "labels", Map.of(Labels.CLUSTER_NAME, cluster),
                        "ownerReferences", List.of(owner(owner, kind))));
    }

    private void cluster(@Nullable Cluster object, List<Machine> machines) {
        if (object == null) {
            return;
        }
        boolean deleting = object.getMetadata().getDeletionTimestamp() != null;
        if (!deleting && object.getMetadata().getFinalizers().isEmpty()) {
            stage.merge(Cluster.class, cluster, Map.of("metadata", Map.of("finalizers", List.of(CLUSTER_FINALIZER))));
        }
        if (!deleting || !machines.stream().allMatch(CoreDuties::isControlPlane)) {
            return;
        }
        if (stage.find(OpenshiftAssistedControlPlane.class, cluster) != null) {
            stage.delete(OpenshiftAssistedControlPlane.class, cluster);
        } else {
            stage.merge(Cluster.class, cluster, Map.of("metadata", Map.of("finalizers", List.of())));
        }
    }

    /** assisted-service deletes the Agents of a cluster together with its ClusterDeployment. */
    private void agents() {
        boolean deployed = stage.find(ClusterDeployment.class, cluster) != null;
        if (hadDeployment && !deployed) {
            stage.list(Agent.class)
                    .forEach(agent ->
                            stage.delete(Agent.class, agent.getMetadata().getName()));
        }
        hadDeployment = deployed;
    }

    private static boolean isControlPlane(Machine machine) {
        return machine.getMetadata().getLabels() != null
                && machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE);
    }

    private static Map<String, Object> owner(HasMetadata object, String kind) {
        return Map.of(
                "apiVersion",
                "cluster.x-k8s.io/v1beta2",
                "kind",
                kind,
                "name",
                object.getMetadata().getName(),
                "uid",
                object.getMetadata().getUid(),
                "controller",
                true);
    }
}
