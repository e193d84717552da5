package io.capoa.lab.cloud;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.Stopwatch;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.host.Instances;
import io.capoa.lab.workload.CloudInstances;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles a LabCloudMachine by the v1beta2 contract: an instance boots the image with the bootstrap data as user data;
 * its provider ID and addresses are known as soon as it runs, before there is a Node.
 */
final class CloudMachineController {

    /** Longest user data that the cloud takes, in bytes. */
    static final int LONGEST_USER_DATA = 64 * 1024;

    private static final String FINALIZER = "labcloudmachine.infrastructure.lab.capoa.io";
    private static final String READY = "Ready";

    private final Caches.Cache<LabCloudMachine> cloudMachines;
    private final Caches.Cache<LabCloudCluster> infra;
    private final Caches.Cache<Machine> machines;
    private final Caches.Cache<Cluster> clusters;
    private final Instances instances;
    private final MetadataService metadata;
    private final KubernetesClient client;
    private final Stopwatch stopwatch;
    private final Writes writes;

    CloudMachineController(
            Caches caches,
            Instances instances,
            MetadataService metadata,
            KubernetesClient client,
            Delays delays,
            Writes writes) {
        this.cloudMachines = caches.of(LabCloudMachine.class);
        this.infra = caches.of(LabCloudCluster.class);
        this.machines = caches.of(Machine.class);
        this.clusters = caches.of(Cluster.class);
        this.instances = instances;
        this.metadata = metadata;
        this.client = client;
        this.stopwatch = new Stopwatch(delays);
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) throws IOException, InterruptedException {
        LabCloudMachine cloudMachine = cloudMachines.get(key);
        if (cloudMachine == null) {
            instances.terminate(key);
            return null;
        }
        Machine machine = CloudObjects.owner(cloudMachine, "Machine")
                .map(name -> machines.get(new Key(key.namespace(), name)))
                .orElse(null);
        String clusterName = machine == null ? null : Fields.string(machine, "spec", "clusterName");
        Cluster cluster = clusterName == null ? null : clusters.get(new Key(key.namespace(), clusterName));
        if (CloudObjects.isPaused(cluster, cloudMachine)) {
            return null;
        }
        WorkingCopy<LabCloudMachine> working = new WorkingCopy<>(cloudMachine);
        if (CloudObjects.isDeleting(cloudMachine)) {
            instances.terminate(key);
            working.withoutFinalizer(FINALIZER);
            working.write(writes);
            return null;
        }
        if (machine == null || cluster == null) {
            return null;
        }
        working.finalizer(FINALIZER);
        Duration left = run(working, machine, cluster);
        working.write(writes);
        return left;
    }

    private @Nullable Duration run(WorkingCopy<LabCloudMachine> working, Machine machine, Cluster cluster)
            throws IOException {
        LabCloudMachine read = working.read();
        String secret = Fields.string(machine, "spec", "bootstrap", "dataSecretName");
        if (!Fields.isTrue(cluster, "status", "initialization", "infrastructureProvisioned")) {
            working.condition(READY, "False", "WaitingForClusterInfrastructure", "the cluster's network is not ready");
            return null;
        }
        if (secret == null) {
            working.condition(READY, "False", "WaitingForBootstrapData", "the Machine has no bootstrap data yet");
            return null;
        }
        boolean provisioned = working.isTrue("status", "initialization", "provisioned");
        Optional<String> refused = provisioned ? Optional.empty() : refusal(read, secret);
        if (refused.isPresent()) {
            working.condition(READY, "False", "InstanceRefused", refused.get());
            return null;
        }
        working.set("pending", "status", "instanceState");
        Duration left = provisioned ? null : stopwatch.left(Delays.Of.PROVISIONING, read);
        if (left != null) {
            working.condition(READY, "False", "InstancePending", "the instance is being started");
            return left;
        }
        CloudInstances.Instance instance = InstanceHardware.describe(read, Zones.of(machine, network(cluster)));
        String service =
                metadata.publish(read.getMetadata().getUid(), read.getMetadata().getName(), instance);
        instances.run(Key.of(read), InstanceHardware.of(read, secret, service));
        working.set("running", "status", "instanceState");
        working.set(instance.providerId(), "spec", "providerID");
        working.set(instance.zone(), "status", "failureDomain");
        working.set(instance.addresses(), "status", "addresses");
        working.set(true, "status", "initialization", "provisioned");
        working.condition(READY, "True", READY, "");
        return null;
    }

    /** The cluster's network; {@code null} for a Cluster whose infrastructure is another provider's. */
    private @Nullable LabCloudCluster network(Cluster cluster) {
        String name = Fields.string(cluster, "spec", "infrastructureRef", "name");
        return name == null ? null : infra.get(new Key(cluster.getMetadata().getNamespace(), name));
    }

    /** Why the cloud starts no such instance. */
    private Optional<String> refusal(LabCloudMachine machine, String name) {
        Secret secret = client.secrets()
                .inNamespace(machine.getMetadata().getNamespace())
                .withName(name)
                .get();
        Map<String, String> data = secret == null || secret.getData() == null ? Map.of() : secret.getData();
        int bytes = Base64.getDecoder().decode(data.getOrDefault("value", "")).length;
        if (bytes == 0) {
            return Optional.of("Secret " + name + " has no user data under key value");
        }
        return bytes <= LONGEST_USER_DATA
                ? Optional.empty()
                : Optional.of("user data of %d bytes is longer than %d".formatted(bytes, LONGEST_USER_DATA));
    }

    /** The instance with that hostname; empty if several clusters have one. */
    Optional<CloudInstances.Instance> find(String hostname) {
        List<LabCloudMachine> named = cloudMachines
                .list()
                .filter(machine -> machine.getMetadata().getName().equals(hostname))
                .filter(machine -> Fields.string(machine, "spec", "providerID") != null)
                .toList();
        return named.size() != 1 ? Optional.empty() : Optional.of(InstanceHardware.running(named.getFirst()));
    }
}
