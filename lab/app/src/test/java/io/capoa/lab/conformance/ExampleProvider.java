package io.capoa.lab.conformance;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The smallest infrastructure provider, as a program: ExampleCluster and ExampleMachine of group
 * infrastructure.example.com, on a cloud that is a folder with a file for each instance. {@code spec.faults} of a machine
 * names the rules of the contract that it breaks; {@code spec.afterMachines} of a cluster is the number of machines that are
 * provisioned before it.
 */
public final class ExampleProvider {

    static final String GROUP = "infrastructure.example.com";

    private static final String FINALIZER = GROUP + "/instance";
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final Map<String, Object> PROVISIONED = Map.of("provisioned", true);
    /** How long a slow one takes to act on a deletion. */
    private static final Duration SLOW = Duration.ofMillis(2500);

    private static final List<String> ZONES = List.of("a", "b", "c");

    private final KubernetesClient client;
    private final Path cloud;

    private ExampleProvider(KubernetesClient client, Path cloud) {
        this.client = client;
        this.cloud = cloud;
    }

    /** Reconciles until it is killed; the argument is the folder of its cloud. */
    public static void main(String... args) throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            ExampleProvider provider = new ExampleProvider(client, Files.createDirectories(Path.of(args[0])));
            while (!Thread.currentThread().isInterrupted()) {
                provider.reconcileAll();
                Thread.sleep(100);
            }
        }
    }

    private void reconcileAll() throws IOException {
        for (GenericKubernetesResource object : list(GROUP, "v1", "ExampleCluster", "exampleclusters")) {
            ignoringConflicts(() -> cluster(object));
        }
        for (GenericKubernetesResource object : list(GROUP, "v1", "ExampleMachine", "examplemachines")) {
            ignoringConflicts(() -> machine(object));
        }
    }

    /** A reconcile of one object. */
    @FunctionalInterface
    private interface Reconcile {
        void run() throws IOException;
    }

    private static void ignoringConflicts(Reconcile reconcile) throws IOException {
        try {
            reconcile.run();
        } catch (KubernetesClientException e) {
            System.out.println("retried: " + e.getMessage());
        }
    }

    private void cluster(GenericKubernetesResource object) {
        if (object.getMetadata().getDeletionTimestamp() != null
                || Fields.isTrue(object, "status", "initialization", "provisioned")) {
            return;
        }
        Integer first = Fields.integer(object, "spec", "afterMachines");
        if (first != null && provisioned(object.getMetadata().getNamespace()) < first) {
            return;
        }
        patch(object, Map.of("spec", Map.of("controlPlaneEndpoint", Map.of("host", "203.0.113.7", "port", 6443))));
        patchStatus(
                object,
                Map.of(
                        "initialization",
                        PROVISIONED,
                        "failureDomains",
                        ZONES.stream()
                                .map(zone -> Map.of("name", zone, "controlPlane", true))
                                .toList()));
    }

    private long provisioned(String namespace) {
        return list(GROUP, "v1", "ExampleMachine", "examplemachines").stream()
                .filter(machine -> machine.getMetadata().getNamespace().equals(namespace))
                .filter(machine -> Fields.isTrue(machine, "status", "initialization", "provisioned"))
                .count();
    }

    private void machine(GenericKubernetesResource object) throws IOException {
        Set<String> faults = Set.copyOf(Fields.list(object, "spec", "faults").stream()
                .map(String::valueOf)
                .toList());
        GenericKubernetesResource machine = owner(object);
        boolean deleting = object.getMetadata().getDeletionTimestamp() != null;
        if (machine == null || (isPaused(object, machine) && !faults.contains("ignores-pause"))) {
            return;
        }
        String id = "i-" + object.getMetadata().getUid().substring(0, 13);
        if (deleting) {
            if (faults.contains("slow")) {
                sleep(SLOW);
            }
            if (!faults.contains("leaks-instance")) {
                Files.deleteIfExists(cloud.resolve(id));
            }
            patch(object, Map.of("metadata", Map.of("finalizers", List.of())));
            return;
        }
        if (object.getMetadata().getFinalizers().isEmpty() && !faults.contains("no-finalizer")) {
            patch(object, Map.of("metadata", Map.of("finalizers", List.of(FINALIZER))));
        }
        boolean data = Fields.string(machine, "spec", "bootstrap", "dataSecretName") != null;
        boolean provisioned = Fields.isTrue(object, "status", "initialization", "provisioned");
        if (!provisioned && (data || faults.contains("early"))) {
            provision(object, machine, id, faults);
        }
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void provision(
            GenericKubernetesResource object, GenericKubernetesResource machine, String id, Set<String> faults)
            throws IOException {
        Files.writeString(cloud.resolve(id), "");
        String zone = Fields.string(machine, "spec", "failureDomain");
        String shape =
                faults.contains("bare-id") ? id : "example://" + (zone == null ? ZONES.getFirst() : zone) + "/" + id;
        patch(object, Map.of("spec", Map.of("providerID", shape)));
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("initialization", PROVISIONED);
        List<Map<String, String>> addresses = new ArrayList<>();
        addresses.add(Map.of("type", "Hostname", "address", object.getMetadata().getName()));
        if (!faults.contains("no-address")) {
            addresses.add(Map.of(
                    "type",
                    "InternalIP",
                    "address",
                    "192.0.2." + (1 + cloud.toFile().list().length)));
        }
        status.put("addresses", addresses);
        patchStatus(object, status);
    }

    private GenericKubernetesResource owner(GenericKubernetesResource object) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals("Machine"))
                .map(owner -> get("Machine", "machines", object.getMetadata().getNamespace(), owner.getName()))
                .findFirst()
                .orElse(null);
    }

    private boolean isPaused(GenericKubernetesResource object, GenericKubernetesResource machine) {
        GenericKubernetesResource cluster = get(
                "Cluster",
                "clusters",
                object.getMetadata().getNamespace(),
                Fields.string(machine, "spec", "clusterName"));
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return (annotations != null && annotations.containsKey("cluster.x-k8s.io/paused"))
                || (cluster != null && Fields.isTrue(cluster, "spec", "paused"));
    }

    private GenericKubernetesResource get(String kind, String plural, String namespace, String name) {
        return client.genericKubernetesResources(context("cluster.x-k8s.io", "v1beta2", kind, plural))
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private List<GenericKubernetesResource> list(String group, String version, String kind, String plural) {
        return client.genericKubernetesResources(context(group, version, kind, plural))
                .inAnyNamespace()
                .list()
                .getItems();
    }

    private void patch(GenericKubernetesResource object, Map<String, Object> change) {
        var unused = client.resource(object)
                .patch(MERGE, client.getKubernetesSerialization().asJson(change));
    }

    private void patchStatus(GenericKubernetesResource object, Map<String, Object> status) {
        var unused = client.resource(object)
                .subresource("status")
                .patch(MERGE, client.getKubernetesSerialization().asJson(Map.of("status", status)));
    }

    private static ResourceDefinitionContext context(String group, String version, String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }
}
