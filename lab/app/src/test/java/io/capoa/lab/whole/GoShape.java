package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.Finalizers;
import io.capoa.api.Labels;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a cluster, installed or not, to the state that the Go provider creates: its names, labels, owner references,
 * finalizers and conditions, without fields that only this project's providers write. The control plane is replaced, so
 * that Machine names do not follow from its UID.
 */
final class GoShape {

    private static final String NAME = "multinode";
    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io/v1beta1";
    private static final String CONFIG = "bootstrap.cluster.x-k8s.io/v1beta1";
    private static final String CORE = "cluster.x-k8s.io/v1beta2";
    private static final String HIVE = "hive.openshift.io/v1";
    private static final String INSTALL = "extensions.hive.openshift.io/v1beta1";
    private static final String ASSISTED = "agent-install.openshift.io/v1beta1";

    /** Kinds of which a control plane owns objects. */
    private static final Map<String, String> OWNED = Map.of(
            "Machine", CORE,
            "OpenshiftAssistedConfig", CONFIG,
            "Metal3Machine", "infrastructure.cluster.x-k8s.io/v1beta2",
            "ClusterDeployment", HIVE,
            "AgentClusterInstall", INSTALL,
            "Secret", "v1");

    private final KubernetesClient client;
    private final String namespace;

    private GoShape(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Rewrites the sample's cluster; the providers of this project must be stopped. */
    static void give(KubernetesClient client, String namespace) {
        GoShape shape = new GoShape(client, namespace);
        OwnerReference owner = shape.controlPlane();
        shape.machines(owner);
        shape.configs();
        shape.installObjects(owner);
        shape.agents();
        Secret kubeconfig = shape.kubeconfig();
        if (kubeconfig == null) {
            return;
        }
        kubeconfig
                .getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder(owner)
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .build()));
        shape.write(kubeconfig);
    }

    /** {@code null} before the installation is complete. */
    private @Nullable Secret kubeconfig() {
        return client.secrets()
                .inNamespace(namespace)
                .withName(NAME + "-kubeconfig")
                .get();
    }

    private OwnerReference controlPlane() {
        GenericKubernetesResource old = get(CONTROL_PLANE, "OpenshiftAssistedControlPlane", NAME);
        orphan(old.getMetadata().getUid());
        old.getMetadata().setFinalizers(List.of());
        old = written(old);
        client.resource(old).delete();
        GenericKubernetesResource gone = old;
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(
                                client.resource(gone).inNamespace(namespace).get())
                        .isNull());
        GenericKubernetesResource next = new GenericKubernetesResource();
        next.setApiVersion(CONTROL_PLANE);
        next.setKind("OpenshiftAssistedControlPlane");
        next.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withName(NAME)
                .withNamespace(namespace)
                .withLabels(Map.of(Labels.CLUSTER_NAME, NAME))
                .withFinalizers(Finalizers.CONTROL_PLANE)
                .withOwnerReferences(old.getMetadata().getOwnerReferences())
                .build());
        next.setAdditionalProperty("spec", old.getAdditionalProperties().get("spec"));
        GenericKubernetesResource made = client.resource(next).create();
        made.setAdditionalProperty("status", status(kubeconfig() != null));
        client.resource(made).updateStatus();
        return new OwnerReferenceBuilder()
                .withApiVersion(CONTROL_PLANE)
                .withKind("OpenshiftAssistedControlPlane")
                .withName(NAME)
                .withUid(made.getMetadata().getUid())
                .build();
    }

    /** Keeps the dependents of the control plane when it is deleted. */
    private void orphan(String owner) {
        OWNED.forEach((kind, apiVersion) -> list(apiVersion, kind).stream()
                .filter(object -> object.getMetadata()
                        .getOwnerReferences()
                        .removeIf(reference -> reference.getUid().equals(owner)))
                .forEach(this::write));
    }

    private static Map<String, Object> status(boolean installed) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("replicas", 3);
        if (installed) {
            status.put("initialization", Map.of("controlPlaneInitialized", true));
            status.put("version", "v1.33.5");
            List.of("readyReplicas", "availableReplicas", "upToDateReplicas")
                    .forEach(counter -> status.put(counter, 3));
        }
        List<String> met = List.of("MachinesCreated", "KubernetesVersionAvailable");
        status.put(
                "conditions",
                Stream.of("Ready", "Available", "KubeconfigAvailable", "MachinesCreated", "KubernetesVersionAvailable")
                        .map(type -> Map.of(
                                "type",
                                type,
                                "status",
                                installed || met.contains(type) ? "True" : "False",
                                "reason",
                                type,
                                "message",
                                "",
                                "lastTransitionTime",
                                "2026-07-23T10:00:00Z"))
                        .toList());
        return status;
    }

    private void machines(OwnerReference owner) {
        for (GenericKubernetesResource machine : list(CORE, "Machine")) {
            Map<String, String> labels = machine.getMetadata().getLabels();
            if (!labels.containsKey(Labels.CONTROL_PLANE)) {
                continue;
            }
            Map<String, String> annotations = new TreeMap<>(
                    Objects.requireNonNullElse(machine.getMetadata().getAnnotations(), Map.of()));
            annotations.remove(Annotations.PRE_DRAIN_HOOK);
            annotations.remove(Annotations.PRE_TERMINATE_HOOK);
            annotations.put(Annotations.BMAC_ROLE, "master");
            machine.getMetadata().setAnnotations(annotations);
            machine.getMetadata()
                    .setOwnerReferences(List.of(new OwnerReferenceBuilder(owner)
                            .withController(true)
                            .withBlockOwnerDeletion(true)
                            .build()));
            write(machine);
        }
    }

    private void configs() {
        for (GenericKubernetesResource config : list(CONFIG, "OpenshiftAssistedConfig")) {
            String name = config.getMetadata().getName();
            config.getMetadata().setFinalizers(List.of(Finalizers.CONFIG));
            GenericKubernetesResource updated = written(config);
            updated.setAdditionalProperty(
                    "status",
                    Map.of(
                            "initialization",
                            Map.of("dataSecretCreated", true),
                            "dataSecretName",
                            name,
                            "observedGeneration",
                            1));
            var unused = client.resource(current(updated)).updateStatus();
            Secret data = client.secrets().inNamespace(namespace).withName(name).require();
            data.getMetadata().setLabels(null);
            data.getMetadata().setOwnerReferences(List.of(plain(updated)));
            write(data);
            GenericKubernetesResource infraEnv = get(ASSISTED, "InfraEnv", name);
            GenericKubernetesResource machine = get(CORE, "Machine", name);
            infraEnv.getMetadata().setLabels(Map.of(Labels.CONFIG_NAME, name, Labels.CLUSTER_NAME, NAME));
            infraEnv.getMetadata().setOwnerReferences(List.of(plain(updated), plain(machine)));
            write(infraEnv);
        }
    }

    private void installObjects(OwnerReference owner) {
        GenericKubernetesResource deployment = get(HIVE, "ClusterDeployment", NAME);
        deployment.getMetadata().setOwnerReferences(List.of(owner));
        write(deployment);
        GenericKubernetesResource install = get(INSTALL, "AgentClusterInstall", NAME);
        install.getMetadata().setOwnerReferences(List.of(owner));
        install.getMetadata()
                .setLabels(Map.of(Labels.CLUSTER_NAME, NAME, Labels.CONSUMER, Labels.CONSUMER_CONTROL_PLANE));
        String ours = install.get("spec", "imageSetRef", "name");
        GenericKubernetesResource imageSet = client.genericKubernetesResources(HIVE, "ClusterImageSet")
                .withName(ours)
                .require();
        GenericKubernetesResource go = new GenericKubernetesResource();
        go.setApiVersion(HIVE);
        go.setKind("ClusterImageSet");
        go.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withName(NAME)
                .build());
        go.setAdditionalProperty(
                "spec", Map.of("releaseImage", Objects.requireNonNull(imageSet.get("spec", "releaseImage"))));
        client.resource(go).serverSideApply();
        Map<String, Object> spec = new LinkedHashMap<>(install.get("spec"));
        spec.put("imageSetRef", Map.of("name", NAME));
        install.setAdditionalProperty("spec", spec);
        unjudged(() -> write(install));
        if (!NAME.equals(ours)) {
            client.resource(imageSet).delete();
        }
    }

    /** Writes fields that are immutable after their creation. */
    private void unjudged(Runnable write) {
        var bindings = client.admissionRegistration().v1().validatingAdmissionPolicyBindings();
        var known = bindings.list().getItems();
        bindings.delete();
        try {
            // The API server takes a moment to notice that a policy is no longer bound.
            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptionsMatching(KubernetesClientException.class::isInstance)
                    .until(() -> {
                        write.run();
                        return true;
                    });
        } finally {
            known.forEach(binding -> {
                binding.getMetadata().setResourceVersion(null);
                var unused = client.resource(binding).create();
            });
        }
    }

    private void agents() {
        for (GenericKubernetesResource agent : list(ASSISTED, "Agent")) {
            Map<String, Object> spec = new LinkedHashMap<>(agent.get("spec"));
            spec.keySet().removeAll(List.of("nodeLabels", "hostname", "installation_disk_id"));
            agent.setAdditionalProperty("spec", spec);
            write(agent);
        }
    }

    private void write(HasMetadata object) {
        var unused = written(object);
    }

    /** Retries concurrent writes of the peers, which keep running. */
    private <T extends HasMetadata> T written(T object) {
        return await().atMost(WholeLab.SOON)
                .ignoreExceptionsMatching(failure -> failure instanceof KubernetesClientException refused
                        && refused.getCode() == HttpURLConnection.HTTP_CONFLICT)
                .until(() -> client.resource(current(object)).update(), Objects::nonNull);
    }

    private <T extends HasMetadata> T current(T object) {
        String version = client.resource(object).get().getMetadata().getResourceVersion();
        object.getMetadata().setResourceVersion(version);
        return object;
    }

    private static OwnerReference plain(HasMetadata object) {
        return new OwnerReferenceBuilder()
                .withApiVersion(object.getApiVersion())
                .withKind(object.getKind())
                .withName(object.getMetadata().getName())
                .withUid(object.getMetadata().getUid())
                .build();
    }

    private GenericKubernetesResource get(String apiVersion, String kind, String name) {
        return client.genericKubernetesResources(apiVersion, kind)
                .inNamespace(namespace)
                .withName(name)
                .require();
    }

    private List<GenericKubernetesResource> list(String apiVersion, String kind) {
        return new ArrayList<>(client.genericKubernetesResources(apiVersion, kind)
                .inNamespace(namespace)
                .list()
                .getItems());
    }
}
