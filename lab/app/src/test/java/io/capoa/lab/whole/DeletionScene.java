package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.lab.assisted.InfraEnvDeletion;
import io.capoa.lab.cluster.AuditLog;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One cluster to be deleted, in its own namespace, with its hosts and its release of the service. */
final class DeletionScene {

    /** The fault at the time of the deletion. */
    enum Trouble {
        NONE,
        /** A host is too small. */
        UNFIT,
        /** A host cannot be provisioned, or fails during its installation. */
        FAILED,
        /** A host has no power. */
        ABSENT,
        /** assisted-service has an outage. */
        SERVICE_DOWN
    }

    /** The faulty host. */
    static final String TROUBLED = "host-0";

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final Duration OUTAGE = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(300);

    /** Kinds without remaining objects, by API version. */
    private static final Map<String, List<String>> KINDS = Map.of(
            "cluster.x-k8s.io/v1beta2", List.of("Cluster", "MachineDeployment", "MachineSet", "Machine"),
            "controlplane.cluster.x-k8s.io/v1beta1", List.of("OpenshiftAssistedControlPlane"),
            "bootstrap.cluster.x-k8s.io/v1beta1", List.of("OpenshiftAssistedConfig"),
            "infrastructure.cluster.x-k8s.io/v1beta2", List.of("Metal3Cluster", "Metal3Machine"),
            "agent-install.openshift.io/v1beta1", List.of("Agent", "InfraEnv"),
            "hive.openshift.io/v1", List.of("ClusterDeployment"),
            "extensions.hive.openshift.io/v1beta1", List.of("AgentClusterInstall"));

    /** Secrets that do not belong to the cluster: the user's pull secret, and BMC credentials. */
    private static final Set<String> OF_USERS = Set.of("pull-secret");

    private final WholeLab lab;
    private final String namespace;
    private final Set<String> secretsBefore;

    DeletionScene(WholeLab lab, InfraEnvDeletion release, int hosts) {
        this.lab = lab;
        this.namespace = lab.namespace(hosts);
        var unused = lab.peers().assistedService().deletes(namespace, release);
        this.secretsBefore = Set.copyOf(secrets().toList());
    }

    String namespace() {
        return namespace;
    }

    void apply(int controlPlanes, int workers) {
        lab.apply(
                namespace,
                sample -> sample.replace("replicas: 3", "replicas: " + controlPlanes)
                        .replace("replicas: 2", "replicas: " + workers));
    }

    void annotate(String host, String annotation, @Nullable String value) {
        lab.annotateHost(namespace, host, annotation, value);
    }

    void all(String annotation, String value) {
        hosts().forEach(host -> annotate(host.getMetadata().getName(), annotation, value));
    }

    void trouble(Trouble trouble) {
        switch (trouble) {
            case UNFIT -> annotate(TROUBLED, "lab.capoa.io/hardware", "memory=2");
            case FAILED -> annotate(TROUBLED, "lab.capoa.io/fail", "provisioning error");
            case ABSENT -> annotate(TROUBLED, "lab.capoa.io/power", "off");
            case NONE, SERVICE_DOWN -> {}
        }
    }

    List<Agent> agents() {
        return lab.admin().resources(Agent.class).inNamespace(namespace).list().getItems();
    }

    List<InfraEnv> infraEnvs() {
        return lab.admin()
                .resources(InfraEnv.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private List<BareMetalHost> hosts() {
        return lab.admin()
                .resources(BareMetalHost.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    String freeHost() {
        return hosts().stream()
                .filter(host -> Fields.any(host, "spec", "consumerRef") == null)
                .findFirst()
                .orElseThrow()
                .getMetadata()
                .getName();
    }

    /** The Machine that has claimed the host. */
    String machineOf(String host) {
        String infrastructure = hosts().stream()
                .filter(candidate -> candidate.getMetadata().getName().equals(host))
                .map(candidate -> Fields.string(candidate, "spec", "consumerRef", "name"))
                .findFirst()
                .orElseThrow();
        return lab.machines(namespace).stream()
                .filter(machine -> infrastructure.equals(Fields.string(machine, "spec", "infrastructureRef", "name")))
                .findFirst()
                .orElseThrow()
                .getMetadata()
                .getName();
    }

    /**
     * The worker's host becomes unfit, and after it has been found so the unfit one becomes fit: at no time are all hosts
     * fit, which would start the installation with the worker.
     */
    void swapUnfitHost() {
        String worker = hosts().stream()
                .map(host -> host.getMetadata().getName())
                .filter(host -> machineOf(host).contains("worker"))
                .findFirst()
                .orElseThrow();
        if (!worker.equals(TROUBLED)) {
            annotate(worker, "lab.capoa.io/hardware", "memory=2");
            awaitAgents("insufficient", 2);
            annotate(TROUBLED, "lab.capoa.io/hardware", null);
        }
    }

    /** The hosts of control planes become fit. */
    void mendControlPlaneHosts() {
        hosts().stream()
                .map(host -> host.getMetadata().getName())
                .filter(host -> !machineOf(host).contains("worker"))
                .forEach(host -> annotate(host, "lab.capoa.io/hardware", null));
    }

    void awaitKnown(int count) {
        awaitAgents("known", count);
    }

    private void awaitAgents(String state, int count) {
        await().atMost(WholeLab.SOON)
                .until(() -> agents().stream()
                                .filter(agent -> state.equals(state(agent)))
                                .count()
                        == count);
    }

    /** The past states of the installation. */
    Set<String> installationStates() {
        AuditLog audit = lab.cluster().auditLog().orElseThrow();
        return audit.since(audit.start(), namespace).stream()
                .filter(entry -> entry.isWrite()
                        && entry.namespace().equals(namespace)
                        && entry.resource().equals("agentclusterinstalls"))
                .map(entry -> entry.object()
                        .path("status")
                        .path("debugInfo")
                        .path("state")
                        .asText())
                .collect(Collectors.toSet());
    }

    void markForDeletion(String machine) {
        var unused = lab.admin()
                .resources(Machine.class)
                .inNamespace(namespace)
                .withName(machine)
                .patch(MERGE, "{\"metadata\":{\"annotations\":{\"%s\":\"\"}}}".formatted(Annotations.DELETE_MACHINE));
    }

    void scaleWorkers(int replicas) {
        var unused = lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "MachineDeployment")
                .inNamespace(namespace)
                .withName("multinode-worker")
                .patch(MERGE, "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    void scaleControlPlane(int replicas) {
        var unused = lab.admin()
                .resource(lab.controlPlane(namespace))
                .patch(MERGE, "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    /** Waits until this number of hosts has registered and been validated. */
    void awaitAgents(int count) {
        await().atMost(WholeLab.SOON)
                .until(() -> agents().stream()
                                .filter(agent -> Set.of("known", "insufficient").contains(state(agent)))
                                .count()
                        == count);
    }

    void awaitAgentIn(String... states) {
        await().atMost(WholeLab.SOON)
                .until(() -> agents().stream().anyMatch(agent -> Set.of(states).contains(state(agent))));
    }

    /** Waits until the installation is in one of the states. */
    void awaitState(String... states) {
        await().atMost(WholeLab.SOON).until(() -> {
            AgentClusterInstall install = lab.admin()
                    .resources(AgentClusterInstall.class)
                    .inNamespace(namespace)
                    .withName("multinode")
                    .get();
            return install != null && Set.of(states).contains(state(install));
        });
    }

    private static String state(GenericKubernetesResource object) {
        return String.valueOf(Fields.any(object, "status", "debugInfo", "state"));
    }

    void deleteCluster() {
        var unused = cluster().delete();
    }

    /** During the outage an object that is being deleted reports that it waits for the service. */
    void assertWaitsForService() {
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab
                                .admin()
                                .resources(OpenshiftAssistedConfig.class)
                                .inNamespace(namespace)
                                .list()
                                .getItems()
                                .stream()
                                // A config that was created a moment ago has no status yet.
                                .flatMap(config -> Stream.ofNullable(config.getStatus()))
                                .flatMap(status -> Stream.ofNullable(status.conditions()))
                                .flatMap(List::stream)
                                .map(condition -> condition.message()))
                        .anySatisfy(message -> assertThat(message)
                                .contains("Waiting for assisted-service to release")
                                .containsPattern("(Agent|InfraEnv) \\S+")));
        await().pollDelay(OUTAGE).until(() -> cluster().get() != null);
    }

    /** Waits until nothing is left of the cluster and its hosts are available again. */
    void awaitNothingLeft() {
        await().atMost(WholeLab.SOON).pollInterval(LOOK_AGAIN).untilAsserted(() -> {
            // The Cluster is the last object with finalizers; listing everything all the time would delay other tests.
            assertThat(cluster().get()).isNull();
            assertThat(left()).isEmpty();
            assertThat(areFree()).as("hosts are available").isTrue();
        });
    }

    private boolean areFree() {
        return hosts().stream()
                .allMatch(host -> Fields.any(host, "spec", "consumerRef") == null
                        && "available".equals(Fields.string(host, "status", "provisioning", "state")));
    }

    private Resource<Cluster> cluster() {
        return lab.admin().resources(Cluster.class).inNamespace(namespace).withName("multinode");
    }

    private List<String> left() {
        Stream<String> objects = KINDS.entrySet().stream()
                .flatMap(group -> group.getValue().stream()
                        .flatMap(kind -> lab
                                .admin()
                                .genericKubernetesResources(group.getKey(), kind)
                                .inNamespace(namespace)
                                .list()
                                .getItems()
                                .stream()
                                .map(DeletionScene::described)));
        Stream<String> imageSets = lab.admin().resources(ClusterImageSet.class).list().getItems().stream()
                .filter(imageSet -> imageSet.getMetadata().getAnnotations() != null
                        && imageSet.getMetadata().getAnnotations().containsValue(namespace + "/multinode"))
                .map(imageSet -> "ClusterImageSet " + imageSet.getMetadata().getName());
        Stream<String> secrets = secrets()
                .filter(name -> !secretsBefore.contains(name) && !OF_USERS.contains(name))
                .map("Secret "::concat);
        return Stream.of(objects, imageSets, secrets)
                .flatMap(all -> all)
                .sorted()
                .toList();
    }

    /** The object with its conditions and finalizers. */
    private static String described(GenericKubernetesResource object) {
        String said = Fields.list(object, "status", "conditions").stream()
                .filter(condition ->
                        Set.of("Deleting", "Cleanup", "Ready").contains(String.valueOf(Fields.any(condition, "type"))))
                .<String>map(condition -> String.valueOf(Fields.any(condition, "message")))
                .filter(message -> !message.isEmpty())
                .findFirst()
                .orElse("");
        return "%s %s %s (%s)"
                .formatted(
                        object.getKind(),
                        object.getMetadata().getName(),
                        object.getMetadata().getFinalizers(),
                        said);
    }

    private Stream<String> secrets() {
        return lab.admin().secrets().inNamespace(namespace).list().getItems().stream()
                .map(secret -> secret.getMetadata().getName());
    }
}
