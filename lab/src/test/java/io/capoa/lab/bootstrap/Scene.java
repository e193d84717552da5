package io.capoa.lab.bootstrap;

import com.sun.net.httpserver.HttpServer;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One namespace with a Cluster "demo" whose neighbours do what the test says, and an ignition server. */
final class Scene implements AutoCloseable {

    static final String IGNITION = "{ \"ignition\": {\"version\": \"3.1.0\"}, \"unknown\": 1 }";

    final String namespace = "ab-" + UUID.randomUUID().toString().substring(0, 8);
    private final KubernetesClient admin;
    private final HttpServer server;
    volatile String ignition = IGNITION;

    Scene(KubernetesClient admin) {
        this.admin = admin;
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            byte[] body = ignition.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
    }

    Scene cluster(boolean infrastructureProvisioned) {
        create(Cluster.class, """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: demo}
                spec:
                  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: demo-cp}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: demo}
                """);
        status(
                Cluster.class,
                "demo",
                Map.of("initialization", Map.of("infrastructureProvisioned", infrastructureProvisioned)));
        return this;
    }

    Scene install(String state) {
        create(AgentClusterInstall.class, """
                apiVersion: extensions.hive.openshift.io/v1beta1
                kind: AgentClusterInstall
                metadata: {name: demo-cp}
                spec:
                  clusterDeploymentRef: {name: demo-cp}
                  networking: {}
                  provisionRequirements: {controlPlaneAgents: 1}
                """);
        installState(state);
        create(ClusterDeployment.class, """
                apiVersion: hive.openshift.io/v1
                kind: ClusterDeployment
                metadata: {name: demo-cp}
                spec:
                  baseDomain: lab.example
                  clusterName: demo
                  platform: {agentBareMetal: {agentSelector: {}}}
                  clusterInstallRef: {group: extensions.hive.openshift.io, version: v1beta1, kind: AgentClusterInstall, name: demo-cp}
                """);
        return this;
    }

    Scene installState(String state) {
        status(AgentClusterInstall.class, "demo-cp", Map.of("debugInfo", Map.of("state", state)));
        return this;
    }

    /** A Machine and the config that it owns, as Cluster API leaves them. */
    Scene machine(String name, String configSpec) {
        Machine machine = create(Machine.class, """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: %1$s, labels: {cluster.x-k8s.io/cluster-name: demo}}
                spec:
                  clusterName: demo
                  bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: %1$s-config}}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %1$s}
                """.formatted(name));
        create(OpenshiftAssistedConfig.class, """
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfig
                metadata:
                  name: %1$s-config
                  labels: {cluster.x-k8s.io/cluster-name: demo}
                  ownerReferences:
                    - {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: %1$s, uid: %2$s, controller: true}
                spec: %3$s
                """.formatted(
                        name, machine.getMetadata().getUid(), configSpec));
        return this;
    }

    /** What assisted-service does when it has seen an InfraEnv. */
    Scene publishBootMedia(String infraEnv) {
        status(
                InfraEnv.class,
                infraEnv,
                Map.of(
                        "bootArtifacts",
                        Map.of(
                                "discoveryIgnitionURL",
                                "http://127.0.0.1:" + server.getAddress().getPort() + "/x?api_key=SECRET")));
        return this;
    }

    Agent registerAgent(String name, String infraEnv) {
        return create(Agent.class, """
                apiVersion: agent-install.openshift.io/v1beta1
                kind: Agent
                metadata: {name: %s, labels: {infraenvs.agent-install.openshift.io: %s}}
                spec: {approved: false, role: ""}
                """.formatted(name, infraEnv));
    }

    <R extends HasMetadata> R create(Class<R> kind, String yaml) {
        R resource = Serialization.unmarshal(yaml, kind);
        resource.getMetadata().setNamespace(namespace);
        return admin.resource(resource).create();
    }

    <R extends GenericKubernetesResource> void status(Class<R> kind, String name, Map<String, Object> status) {
        R resource = Objects.requireNonNull(find(kind, name));
        resource.setAdditionalProperty("status", status);
        R unused = admin.resource(resource).updateStatus();
    }

    <R extends HasMetadata> @Nullable R find(Class<R> kind, String name) {
        return admin.resources(kind).inNamespace(namespace).withName(name).get();
    }

    <R extends HasMetadata> void delete(Class<R> kind, String name) {
        var unused = admin.resources(kind).inNamespace(namespace).withName(name).delete();
    }

    @Nullable
    Secret secret(String name) {
        return admin.secrets().inNamespace(namespace).withName(name).get();
    }

    /** {@code status/reason} of a config's condition, empty when it has none. */
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

    @Override
    public void close() {
        server.stop(0);
    }
}
