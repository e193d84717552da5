package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.failure.Evidence;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** Objects of one namespace, accessed as administrator. */
class SceneObjects {

    /** Named in full: a client that looks the kind up fails in another way where it is not served. */
    private static final ResourceDefinitionContext MACHINE_POOL = new ResourceDefinitionContext.Builder()
            .withGroup("cluster.x-k8s.io")
            .withVersion("v1beta2")
            .withKind("MachinePool")
            .withPlural("machinepools")
            .withNamespaced(true)
            .build();

    /** Garbage collection discovers new kinds every 30 s. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    final TestCluster cluster;
    final String namespace = "ab-" + UUID.randomUUID().toString().substring(0, 8);

    SceneObjects(TestCluster cluster) {
        this.cluster = cluster;
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        Evidence.namespace(cluster, namespace);
    }

    <R extends HasMetadata> R create(Class<R> kind, String yaml) {
        R resource = Serialization.unmarshal(yaml, kind);
        resource.getMetadata().setNamespace(namespace);
        return cluster.admin().resource(resource).create();
    }

    <R extends GenericKubernetesResource> void status(Class<R> kind, String name, Map<String, Object> status) {
        untilNobodyInterferes("status of " + name, () -> {
            R resource = require(kind, name);
            resource.setAdditionalProperty("status", status);
            R unused = cluster.admin().resource(resource).updateStatus();
        });
    }

    <R extends HasMetadata> void edit(Class<R> kind, String name, Consumer<R> change) {
        untilNobodyInterferes("change of " + name, () -> {
            R unused = cluster.admin()
                    .resources(kind)
                    .inNamespace(namespace)
                    .withName(name)
                    .edit(resource -> {
                        change.accept(resource);
                        return resource;
                    });
        });
    }

    /** The provider may write the object concurrently. */
    private static void untilNobodyInterferes(String what, Runnable change) {
        soon(what)
                .ignoreExceptionsMatching(failure -> failure instanceof KubernetesClientException refused
                        && refused.getCode() == HttpURLConnection.HTTP_CONFLICT)
                .until(() -> {
                    change.run();
                    return true;
                });
    }

    <R extends HasMetadata> void finalizers(Class<R> kind, String name, String... finalizers) {
        edit(kind, name, resource -> resource.getMetadata().setFinalizers(List.of(finalizers)));
    }

    <R extends HasMetadata> @Nullable R find(Class<R> kind, String name) {
        return cluster.admin()
                .resources(kind)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    <R extends HasMetadata> R require(Class<R> kind, String name) {
        return Objects.requireNonNull(find(kind, name), () -> kind.getSimpleName() + " " + name);
    }

    <R extends HasMetadata> void delete(Class<R> kind, String name) {
        var unused = cluster.admin()
                .resources(kind)
                .inNamespace(namespace)
                .withName(name)
                .delete();
    }

    @Nullable
    Secret secret(String name) {
        return find(Secret.class, name);
    }

    <R extends HasMetadata> void awaitGone(Class<R> kind, String name) {
        soon(kind.getSimpleName() + " " + name + " gone").until(() -> find(kind, name) == null);
    }

    static ConditionFactory soon(String what) {
        return await(what).atMost(PATIENCE);
    }

    void awaitCondition(String machine, String type, String value) {
        soon(type + " " + value)
                .untilAsserted(() -> assertThat(condition(machine, type)).isEqualTo(value));
    }

    /** {@code status/reason} of a config's condition, empty if it does not exist. */
    String condition(String machine, String type) {
        Condition condition = conditionOf(machine, type);
        return condition == null ? "" : condition.status() + "/" + condition.reason();
    }

    String message(String machine, String type) {
        Condition condition = conditionOf(machine, type);
        return condition == null ? "" : condition.message();
    }

    private @Nullable Condition conditionOf(String machine, String type) {
        OpenshiftAssistedConfig config = find(OpenshiftAssistedConfig.class, machine + "-config");
        return config == null
                        || config.getStatus() == null
                        || config.getStatus().conditions() == null
                ? null
                : config.getStatus().conditions().stream()
                        .filter(c -> c.type().equals(type))
                        .findFirst()
                        .orElse(null);
    }

    /**
     * A MachinePool as the only owner of a config, a YAML list. If the kind is served, the MachinePool is created, or
     * its dependents would be garbage collected.
     */
    String machinePoolOwner() {
        return "- {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachinePool, name: p, uid: %s}".formatted(machinePool());
    }

    private String machinePool() {
        GenericKubernetesResource pool = Serialization.unmarshal("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachinePool
                metadata: {name: p}
                spec:
                  clusterName: c
                  template:
                    spec:
                      clusterName: c
                      bootstrap: {dataSecretName: data}
                      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachinePool, name: p}
                """, GenericKubernetesResource.class);
        try {
            return cluster.admin()
                    .genericKubernetesResources(MACHINE_POOL)
                    .inNamespace(namespace)
                    .resource(pool)
                    .create()
                    .getMetadata()
                    .getUid();
        } catch (KubernetesClientException notServed) {
            assertThat(notServed.getCode()).isEqualTo(404);
            return "u";
        }
    }
}
