package io.capoa.controlplane.integration;

import static io.capoa.controlplane.integration.ControlPlaneScene.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineHealthCheck;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.tenants.Forgery;
import io.capoa.lab.tenants.ObjectVersions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant forges references, labels, annotations and owner references to the objects of another namespace. */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class TenantsTest {

    private static final int CLUSTERS = 6;

    /** Longer than the pauses between the reconciles of one change. */
    private static final Duration REST = Duration.ofSeconds(2);

    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            OpenshiftAssistedControlPlane.class,
            Cluster.class,
            ClusterDeployment.class,
            AgentClusterInstall.class,
            Machine.class,
            MachineDeployment.class,
            MachineHealthCheck.class,
            OpenshiftAssistedConfig.class,
            Metal3Machine.class,
            Secret.class,
            ConfigMap.class);

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noWriteReachesTheObjectsOfAnother(long seed, RunningControlPlane shared) {
        AuditLog log = log(shared.cluster);
        AuditLog.Mark begin = log.mark();
        try (ControlPlaneScene victim = ControlPlaneScene.withControlPlane(shared);
                ControlPlaneScene tenant = ControlPlaneScene.of(shared)) {
            prepare(victim);
            awaitRest(begin, victim);
            Map<String, String> before = versions(victim);
            AuditLog.Mark forged = log.mark();

            Forgeries forgeries = new Forgeries(new Random(seed), tenant.peers, victim.peers);
            for (int n = 0; n < CLUSTERS; n++) {
                forgeries.add(n == 0 ? ControlPlanePeers.NAME : "c" + n);
            }
            awaitRest(forged, tenant);
            forgeries.retrySome();
            awaitRest(forged, tenant);
            forgeries.deleteAll();
            awaitRest(forged, tenant);

            assertThat(writes(forged, tenant))
                    .as("the provider has worked on the forged objects")
                    .hasSizeGreaterThan(5 * CLUSTERS);
            assertThat(writes(forged, victim))
                    .as("writes to the other tenant's objects")
                    .isEmpty();
            assertThat(versions(victim)).isEqualTo(before);
            imageSets(victim)
                    .forEach(imageSet -> victim.peers.client.resource(imageSet).delete());
        }
    }

    private static AuditLog log(TestCluster cluster) {
        Optional<AuditLog> log = cluster.auditLog();
        assumeTrue(log.isPresent(), "this kind of cluster keeps no audit log that tests can read");
        return log.orElseThrow();
    }

    /** A cluster that is being installed, with a kubeconfig and a health check that was paused for an upgrade. */
    private static void prepare(ControlPlaneScene victim) {
        ControlPlanePeers peers = victim.peers;
        peers.apply("""
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata:
              name: health
              annotations: {cluster.x-k8s.io/paused: '', controlplane.cluster.x-k8s.io/paused-for-upgrade: one}
            spec: {clusterName: one, selector: {matchLabels: {a: b}}}
            """);
        peers.client
                .resource(peers.client
                        .getKubernetesSerialization()
                        .unmarshal(sharedImageSet(peers), ClusterImageSet.class))
                .create();
        peers.installState("installing");
        peers.publishKubeconfig("of the victim");
        within(() -> victim.isTrue("KubeconfigAvailable"));
    }

    /** Without an owner, as an administrator makes them for all. */
    private static String sharedImageSet(ControlPlanePeers victim) {
        return """
            apiVersion: hive.openshift.io/v1
            kind: ClusterImageSet
            metadata: {name: %s}
            spec: {releaseImage: 'quay.io/shared/release:4.20.3-x86_64'}
            """.formatted(sharedName(victim));
    }

    private static String sharedName(ControlPlanePeers victim) {
        return "shared-" + victim.namespace;
    }

    /** By kind and name, with the victim's ClusterImageSet and the shared one. */
    private static Map<String, String> versions(ControlPlaneScene scene) {
        KubernetesClient client = scene.peers.client;
        Map<String, String> versions = new TreeMap<>(ObjectVersions.in(client, scene.peers.namespace, KINDS));
        imageSets(scene)
                .forEach(imageSet -> versions.put(
                        imageSet.getMetadata().getName(), imageSet.getMetadata().getResourceVersion()));
        return versions;
    }

    private static Stream<ClusterImageSet> imageSets(ControlPlaneScene scene) {
        return Stream.of(
                        scene.peers.imageSet(),
                        scene.peers
                                .client
                                .resources(ClusterImageSet.class)
                                .withName(sharedName(scene.peers))
                                .get())
                .map(Objects::requireNonNull);
    }

    private static List<AuditEntry> writes(AuditLog.Mark since, ControlPlaneScene scene) {
        TestCluster cluster = scene.running.cluster;
        String user = cluster.userName(KnownUsers.CONTROL_PLANE_PROVIDER);
        String namespace = scene.peers.namespace;
        return log(cluster).since(since, namespace).stream()
                .filter(entry -> entry.isWrite()
                        && entry.user().equals(user)
                        && entry.namespace().equals(namespace))
                .toList();
    }

    /** Returns when the provider has written nothing there for a while. */
    private static void awaitRest(AuditLog.Mark since, ControlPlaneScene scene) {
        long[] seen = {-1, System.nanoTime()};
        within(() -> {
            int now = writes(since, scene).size();
            if (now != seen[0]) {
                seen[0] = now;
                seen[1] = System.nanoTime();
            }
            return System.nanoTime() - seen[1] > REST.toNanos();
        });
    }

    /** Control planes of the tenant, and what lies there under their names before they are created. */
    private static final class Forgeries {

        private final Forgery forgery;
        private final ControlPlanePeers tenant;
        private final ControlPlanePeers victim;

        Forgeries(Random random, ControlPlanePeers tenant, ControlPlanePeers victim) {
            this.forgery = new Forgery(random, ControlPlanePeers.NAME);
            this.tenant = tenant;
            this.victim = victim;
            forgery.owner(victim.current());
            forgery.owner(victim.install());
            forgery.owner(victim.deployment());
            forgery.owner(victim.owner());
            forgery.owner(victim.machines().getFirst());
        }

        void add(String name) {
            ControlPlanePeers peers = name.equals(tenant.name) ? tenant : tenant.beside(name);
            if (peers != tenant) {
                peers.template();
            }
            install(name);
            machine(name, 0);
            machine(name, 1);
            others(name);
            String machine = victim.machines().getFirst().getMetadata().getName();
            OpenshiftAssistedControlPlane made = peers.controlPlane(
                    "metadata: {annotations: {%s: %s}}".formatted(one(name, Annotations.RETRY_INSTALL, "a"), "'1'"),
                    "metadata: {annotations: {%s: '{\"machine\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"retryCount\":0}'}}"
                            .formatted(one(name, Annotations.REMEDIATION_IN_PROGRESS, "b"), machine));
            forgery.owner(made);
            if (forgery.isTarget(name)) {
                // The garbage collector deletes those of the others that have no owner in their namespace.
                peers.installState("installing");
            }
        }

        /** What the control plane is installed from. */
        private void install(String name) {
            tenant.apply("""
                apiVersion: extensions.hive.openshift.io/v1beta1
                kind: AgentClusterInstall
                metadata:
                  name: %1$s
                  labels: %2$s
                  ownerReferences: %3$s
                spec:
                  clusterDeploymentRef: {name: %4$s}
                  imageSetRef: {name: %5$s}
                  clusterMetadata: {clusterID: a, infraID: b, adminKubeconfigSecretRef: {name: %6$s}}
                  networking: {}
                  provisionRequirements: {controlPlaneAgents: 3}
                """.formatted(
                            name,
                            labels(name),
                            owners(name),
                            one(name, name, ControlPlanePeers.NAME),
                            one(
                                    name,
                                    Objects.requireNonNull(victim.imageSet())
                                            .getMetadata()
                                            .getName(),
                                    sharedName(victim),
                                    "nowhere"),
                            one(name, "one-admin-kubeconfig", name + "-admin-kubeconfig", "nowhere")));
            tenant.apply("""
                apiVersion: hive.openshift.io/v1
                kind: ClusterDeployment
                metadata: {name: %1$s, labels: %2$s, ownerReferences: %3$s}
                spec:
                  baseDomain: lab.example
                  clusterName: %1$s
                  platform: {agentBareMetal: {agentSelector: {}}}
                  clusterInstallRef: {group: extensions.hive.openshift.io, version: v1beta1, kind: AgentClusterInstall, name: %4$s}
                """.formatted(name, labels(name), owners(name), one(name, name, ControlPlanePeers.NAME)));
        }

        /** A Machine with the names of the victim's infrastructure machine and config, and objects of its own name. */
        private void machine(String name, int number) {
            String theirs = victim.machines().get(number).getMetadata().getName();
            String own = forgery.isTarget(name) ? theirs : name + "-" + number;
            tenant.apply("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata:
                  name: %1$s
                  labels: %2$s
                  ownerReferences: %3$s
                  annotations: {%4$s: '', %5$s: ''}
                spec:
                  clusterName: %6$s
                  bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: %7$s}}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %7$s}
                """.formatted(
                            own,
                            labels(name),
                            owners(name),
                            one(name, Annotations.POWER_OFF_HOST, "a"),
                            one(name, Annotations.REMEDIATE_MACHINE, "b"),
                            name,
                            one(name, theirs, own)));
            tenant.apply("""
                apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
                kind: Metal3Machine
                metadata:
                  name: %s
                  labels: %s
                  ownerReferences: %s
                  annotations: {%s: %s/host-0}
                spec: {image: {url: 'http://images.lab.example/rhcos.qcow2', checksum: abc}}
                """.formatted(own, labels(name), owners(name), Annotations.BARE_METAL_HOST, victim.namespace));
        }

        private void others(String name) {
            tenant.apply("""
                apiVersion: v1
                kind: Secret
                metadata: {name: %s-kubeconfig, labels: %s, ownerReferences: %s, annotations: {%s: %s}}
                type: %s
                stringData: {value: forged}
                """.formatted(
                            name,
                            labels(name),
                            owners(name),
                            Annotations.COPIED_KUBECONFIG,
                            one(name, "a", "b"),
                            one(name, "cluster.x-k8s.io/secret", "Opaque")));
            tenant.apply("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineHealthCheck
                metadata:
                  name: health-%1$s
                  annotations: {cluster.x-k8s.io/paused: '', controlplane.cluster.x-k8s.io/paused-for-upgrade: %2$s}
                spec: {clusterName: %2$s, selector: {matchLabels: {a: b}}}
                """.formatted(name, one(name, ControlPlanePeers.NAME, name)));
        }

        /** Failed installations, which are deleted in order to be retried. */
        void retrySome() {
            controlPlanes().list().getItems().stream()
                    .map(controlPlane ->
                            tenant.beside(controlPlane.getMetadata().getName()))
                    .filter(peers -> peers.install() != null)
                    .filter(peers -> forgery.isTarget(peers.name) || forgery.toss())
                    .forEach(peers -> {
                        peers.installState("error");
                        peers.edit("metadata: {annotations: {%s: '2'}}".formatted(Annotations.RETRY_INSTALL));
                    });
        }

        void deleteAll() {
            controlPlanes().delete();
        }

        private NonNamespaceOperation<
                        OpenshiftAssistedControlPlane,
                        KubernetesResourceList<OpenshiftAssistedControlPlane>,
                        Resource<OpenshiftAssistedControlPlane>>
                controlPlanes() {
            return tenant.client.resources(OpenshiftAssistedControlPlane.class).inNamespace(tenant.namespace);
        }

        private String labels(String name) {
            return "{cluster.x-k8s.io/cluster-name: %s, cluster.x-k8s.io/control-plane: '', cluster.x-k8s.io/control-plane-name: %s}"
                    .formatted(one(name, name, ControlPlanePeers.NAME), one(name, name, ControlPlanePeers.NAME));
        }

        /** None for the target: labels alone make its objects those of its control plane. */
        private String owners(String name) {
            OwnerReference any = forgery.anyOwner();
            return one(
                    name,
                    "[]",
                    "[{apiVersion: %s, kind: %s, name: %s, uid: %s, controller: true}]"
                            .formatted(any.getApiVersion(), any.getKind(), any.getName(), any.getUid()));
        }

        private String one(String name, String first, String... others) {
            return forgery.one(name, first, others);
        }
    }
}
