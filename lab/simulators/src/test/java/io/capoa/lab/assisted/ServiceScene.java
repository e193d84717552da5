package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.failure.Evidence;
import io.capoa.lab.workload.Json;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.WorkloadClusters;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ThrowingRunnable;

/** One cluster of the simulated service in its own namespace; the test acts as providers, Metal3 and hosts. */
final class ServiceScene implements AutoCloseable {

    /** The machine may be busy. */
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    final String namespace = "as-" + UUID.randomUUID().toString().substring(0, 8);
    final KubernetesClient client;

    private final KubernetesClient serviceClient;
    private final WorkloadClusters workloads;
    private final AssistedServiceSimulator service;
    private final List<Watch> watches = new ArrayList<>();

    ServiceScene(TestCluster cluster) {
        client = cluster.admin();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        Evidence.namespace(cluster, namespace);
        // Before the service starts, so that they are in its first lists.
        apply("""
            apiVersion: v1
            kind: Secret
            metadata: {name: pull, namespace: NS}
            stringData: {.dockerconfigjson: '{"auths":{"registry.test":{"auth":"dXNlcjpwdw=="}}}'}
            """);
        apply("""
            apiVersion: hive.openshift.io/v1
            kind: ClusterImageSet
            metadata: {name: NS}
            spec: {releaseImage: "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64"}
            """);
        serviceClient = cluster.clientOf(KnownUsers.ASSISTED_SERVICE);
        try {
            workloads = new WorkloadClusters(0).start();
            service = new AssistedServiceSimulator(
                            serviceClient, workloads, ReleaseVersions::fromTag, Delays.none(), 0, true, namespace)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** ClusterDeployment and AgentClusterInstall, and an InfraEnv for each host. */
    void cluster(String installSpec, int hosts) {
        apply("""
            apiVersion: hive.openshift.io/v1
            kind: ClusterDeployment
            metadata: {name: c, namespace: NS}
            spec:
              clusterName: c
              baseDomain: lab.test
              platform: {agentBareMetal: {agentSelector: {}}}
              pullSecretRef: {name: pull}
              clusterInstallRef:
                {group: extensions.hive.openshift.io, version: v1beta1, kind: AgentClusterInstall, name: c}
            """);
        apply("""
            apiVersion: extensions.hive.openshift.io/v1beta1
            kind: AgentClusterInstall
            metadata: {name: c, namespace: NS}
            spec:
              clusterDeploymentRef: {name: c}
              imageSetRef: {name: NS}
            """ + installSpec.indent(2));
        for (int i = 0; i < hosts; i++) {
            infraEnv("m-" + i, "");
        }
    }

    /** An InfraEnv of the cluster. */
    void infraEnv(String name, String spec) {
        apply("""
            apiVersion: agent-install.openshift.io/v1beta1
            kind: InfraEnv
            metadata: {name: NAME, namespace: NS}
            spec:
              clusterRef: {name: c, namespace: NS}
              pullSecretRef: {name: pull}
            """.replace("NAME", name) + spec.indent(2));
    }

    /** The host of an InfraEnv boots and registers; the name of its Agent. */
    String register(int number) {
        Backend.InfraEnvRecord accepted = eventually(() -> {
            InfraEnv infraEnv = infraEnv("m-" + number);
            return service.backend()
                    .infraEnv(infraEnv.getMetadata().getUid())
                    .orElseThrow(() -> new AssertionError("InfraEnv m-" + number + " is not accepted"));
        });
        String id = agentName(number);
        service.backend().register(accepted, id, Inventory.toStatus(inventory(number)));
        eventually(() -> {
            assertThat(agent(id)).isNotNull();
            return id;
        });
        Thread unused = Thread.ofVirtual().start(() -> resolveNames(host(id)));
        return id;
    }

    /** The host's agent replies that its DNS has no record for any name that it is told to resolve. */
    private void resolveNames(HostRecord host) {
        try {
            host.awaitInstruction(SOON.toMillis());
        } catch (InterruptedException e) {
            return;
        }
        if (!host.takeDomains(Instant.now()).isEmpty()) {
            host.resolved(Map.of());
            service.backend().hostChanged(host);
        }
    }

    /** The inventory that a host's agent sends. */
    private static Map<String, Object> inventory(int number) {
        return Map.of(
                "hostname",
                "host-" + number,
                "cpu",
                Map.of("count", 16),
                "memory",
                Map.of("physical_bytes", 64L << 30),
                "disks",
                List.of(Map.of(
                        "id",
                        "/dev/sda",
                        "size_bytes",
                        480_000_000_000L,
                        "installation_eligibility",
                        Map.of("eligible", true, "not_eligible_reasons", List.of()))),
                "interfaces",
                List.of(Map.of(
                        "has_carrier",
                        true,
                        "flags",
                        List.of("up"),
                        "ipv4_addresses",
                        List.of("192.0.2.2" + number + "/24"),
                        "ipv6_addresses",
                        List.of())));
    }

    /** The name of the host's Agent, existing or not. */
    String agentName(int number) {
        return UUID.nameUUIDFromBytes((namespace + number).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** Approves an Agent, with a role. */
    void approve(String agent, String role) {
        patch(agent(agent), Map.of("spec", Map.of("approved", true, "role", role)));
    }

    /** The host's agent reports a stage of the installation. */
    void progress(String agent, String stage, String info) {
        HostRecord host = host(agent);
        assertThat(host.progress(stage, info)).isTrue();
        service.backend().hostChanged(host);
    }

    HostRecord host(String agent) {
        HostRecord host = service.backend().host(new Key(namespace, agent));
        assertThat(host).isNotNull();
        return host;
    }

    void patch(GenericKubernetesResource object, Map<String, ?> fragment) {
        client.resource(object).patch(MERGE, Json.text(fragment));
    }

    AgentClusterInstall install() {
        return client.resources(AgentClusterInstall.class)
                .inNamespace(namespace)
                .withName("c")
                .get();
    }

    InfraEnv infraEnv(String name) {
        return client.resources(InfraEnv.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    Agent agent(String name) {
        return client.resources(Agent.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    /**
     * Records all changes of conditions and states of an object from now on. The watch begins at the present
     * resourceVersion, so that it sees every write, even if it is interrupted before the object exists.
     */
    <R extends GenericKubernetesResource> List<String> recorded(Class<R> kind, String name) {
        List<String> seen = new CopyOnWriteArrayList<>();
        Map<String, String> last = new LinkedHashMap<>();
        ListOptions fromNow = new ListOptionsBuilder()
                .withResourceVersion(client.resources(kind)
                        .inNamespace(namespace)
                        .list()
                        .getMetadata()
                        .getResourceVersion())
                .build();
        watches.add(client.resources(kind).inNamespace(namespace).withName(name).watch(fromNow, new Watcher<R>() {
            @Override
            public void eventReceived(Action action, R resource) {
                for (Object entry : Fields.list(resource, "status", "conditions")) {
                    note(
                            String.valueOf(Fields.any(entry, "type")),
                            Fields.any(entry, "status") + "/" + Fields.any(entry, "reason") + " | "
                                    + Fields.any(entry, "message"));
                }
                note("state", String.valueOf(Fields.string(resource, "status", "debugInfo", "state")));
            }

            private void note(String what, String now) {
                if (!now.equals(last.put(what, now))) {
                    seen.add(what + "=" + now);
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                seen.add("the watch failed: " + cause);
            }
        }));
        return seen;
    }

    static String condition(GenericKubernetesResource resource, String type) {
        return ConditionView.of(resource, type)
                .map(c -> c.status() + "/" + c.reason())
                .orElse("absent");
    }

    static String message(GenericKubernetesResource resource, String type) {
        return ConditionView.of(resource, type).map(ConditionView::message).orElse("");
    }

    static <T> T eventually(Callable<T> look) {
        AtomicReference<T> found = new AtomicReference<>();
        await().atMost(SOON).untilAsserted(() -> found.set(look.call()));
        return found.get();
    }

    static void eventually(ThrowingRunnable check) {
        await().atMost(SOON).untilAsserted(check);
    }

    void apply(String yaml) {
        client.resource(Serialization.unmarshal(yaml.replace("NS", namespace), GenericKubernetesResource.class))
                .create();
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
        service.close();
        workloads.close();
        serviceClient.close();
        client.resources(ClusterImageSet.class).withName(namespace).delete();
    }
}
