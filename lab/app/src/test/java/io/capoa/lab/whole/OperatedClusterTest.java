package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Labels;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One cluster in the hands of its administrators: upgraded by {@code oc} and by the spec, configured by a MachineConfig,
 * its masters rolled out around a broken kube-apiserver, scaled out and in. Its workers keep their hosts, etcd its
 * majority, and the API answers at every second.
 */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class OperatedClusterTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LONG_ENOUGH_FOR_A_STEP = Duration.ofSeconds(3);

    @Test
    void aClusterThatIsUpgradedConfiguredRolledOutAndScaled_keepsWorkersMajorityAndApi(WholeLab lab) {
        String namespace = lab.namespace(7);
        lab.apply(namespace, WholeLab.sample());
        lab.apply(namespace, healthCheck());
        lab.awaitReady(namespace);
        Map<String, String> workers = hostsOfWorkers(lab, namespace);
        try (KubernetesClient workload = lab.workload(namespace, "multinode");
                Pulse pulse = new Pulse(lab.kubeconfig(namespace, "multinode"), workload)) {
            // A single master's API is away while it restarts; the VIP of several is not.
            annotate(workload, "config.openshift.io/v1", "ClusterVersion", "version", "lab.capoa.io/blips", "off");

            anUpgradeByOc_isReportedAndNotUndone(lab, namespace, workload);
            aMinorVersion_isReachedByTheSpec(lab, namespace);
            aMachineConfig_restartsEveryNode_andReplacesNone(lab, namespace, workload);
            aRollout_waitsForABrokenKubeApiserver(lab, namespace, workload);
            scale(lab, namespace, 5);
            scale(lab, namespace, 3);

            System.out.println("etcd over the life of a cluster (healthy/voters): " + pulse.voters());
            assertThat(pulse.voters()).isNotEmpty().allMatch(Voters::hasMajority);
            assertThat(pulse.outages()).isEmpty();
        }
        assertThat(hostsOfWorkers(lab, namespace)).isEqualTo(workers);
        lab.awaitReady(namespace);
    }

    private static void anUpgradeByOc_isReportedAndNotUndone(
            WholeLab lab, String namespace, KubernetesClient workload) {
        long before = Upgrades.generation(workload);
        String image = await().atMost(PATIENCE)
                .until(
                        () -> Fields.list(Upgrades.version(workload).require(), "status", "availableUpdates").stream()
                                .filter(update -> Fields.text(update, "version").equals("4.20.5"))
                                .map(update -> Fields.text(update, "image"))
                                .findFirst()
                                .orElse(""),
                        found -> !found.isEmpty());
        var unused = Upgrades.version(workload)
                .patch(
                        MERGE,
                        "{\"spec\":{\"desiredUpdate\":{\"version\":\"4.20.5\",\"image\":\"%s\"}}}".formatted(image));
        await().atMost(PATIENCE)
                .until(() -> Upgrades.versions(workload).getFirst().equals("Completed 4.20.5"));

        Upgrades.upgrade(lab, namespace, "4.20.4", "");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(conditions(lab, namespace))
                        .contains("the cluster runs 4.20.5", "set spec.distributionVersion to 4.20.5"));

        Upgrades.upgrade(lab, namespace, "4.20.5", "");
        Upgrades.awaitRunning(lab, namespace, "4.20.5");
        assertThat(Upgrades.generation(workload))
                .as("the administrator's request alone")
                .isEqualTo(before + 1);
    }

    private static void aMinorVersion_isReachedByTheSpec(WholeLab lab, String namespace) {
        Upgrades.upgrade(lab, namespace, "4.21.1", ",\"upgrade\":{\"channel\":\"stable-4.21\"}");
        Upgrades.awaitRunning(lab, namespace, "4.21.1");
        lab.awaitReady(namespace);
    }

    private static void aMachineConfig_restartsEveryNode_andReplacesNone(
            WholeLab lab, String namespace, KubernetesClient workload) {
        Map<String, String> machines = Upgrades.uids(lab, namespace);
        Set<String> configs = configurations(workload);
        for (String pool : List.of("master", "worker")) {
            annotate(
                    workload,
                    "machineconfiguration.openshift.io/v1",
                    "MachineConfigPool",
                    pool,
                    "lab.capoa.io/machine-config",
                    "a");
        }
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(configurations(workload)).hasSize(2).doesNotContainAnyElementsOf(configs));
        lab.awaitReady(namespace);
        assertThat(Upgrades.uids(lab, namespace)).isEqualTo(machines);
    }

    /** Configurations that Nodes run and that pools want. */
    private static Set<String> configurations(KubernetesClient workload) {
        return workload.nodes().list().getItems().stream()
                .map(node -> node.getMetadata().getAnnotations())
                .flatMap(annotations -> List.of("current", "desired").stream()
                        .map(which -> annotations.getOrDefault(
                                "machineconfiguration.openshift.io/%sConfig".formatted(which), "")))
                .collect(Collectors.toSet());
    }

    private static void aRollout_waitsForABrokenKubeApiserver(
            WholeLab lab, String namespace, KubernetesClient workload) {
        Set<String> before = uids(lab.masters(namespace));
        lab.patchControlPlane(
                namespace, "{\"spec\":{\"openshiftAssistedConfigSpec\":{\"nodeLabels\":{\"rack\":\"b\"}}}}");
        await().atMost(PATIENCE).until(() -> lab.masters(namespace).size() == 4);
        breakKubeApiserver(workload, "Degraded");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(lab.condition(namespace, "RollingOut"))
                        .hasValueSatisfying(condition -> {
                            assertThat(condition.status()).isEqualTo("True");
                            assertThat(condition.message()).contains("ClusterOperator kube-apiserver is degraded");
                        }));
        AtomicReference<Set<String>> held = new AtomicReference<>(Set.of());
        await().during(LONG_ENOUGH_FOR_A_STEP).atMost(PATIENCE).until(() -> {
            Set<String> now = steps(lab.masters(namespace));
            return now.equals(held.getAndSet(now));
        });
        assertThat(uids(lab.masters(namespace)))
                .as("the rollout is not complete")
                .containsAnyElementsOf(before);

        breakKubeApiserver(workload, null);
        awaitMasters(lab, namespace, 3, before);
        lab.awaitReady(namespace);
    }

    /** Fails a condition of the ClusterOperator; {@code null} mends it. */
    private static void breakKubeApiserver(KubernetesClient workload, @Nullable String condition) {
        annotate(
                workload,
                "config.openshift.io/v1",
                "ClusterOperator",
                "kube-apiserver",
                "lab.capoa.io/fail",
                condition);
    }

    private static void scale(WholeLab lab, String namespace, int replicas) {
        lab.patchControlPlane(namespace, "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
        awaitMasters(lab, namespace, replicas, Set.of());
        String kubeconfig = lab.kubeconfig(namespace, "multinode");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Voters.of(kubeconfig)).contains(new Voters(replicas, replicas)));
        lab.awaitReady(namespace);
    }

    private static void awaitMasters(WholeLab lab, String namespace, int number, Set<String> gone) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(lab.masters(namespace))
                        .as(() -> conditions(lab, namespace))
                        .hasSize(number)
                        .allSatisfy(machine -> {
                            assertThat(machine.getMetadata().getUid()).isNotIn(gone);
                            assertThat(ConditionView.isTrue(machine, "Ready")).isTrue();
                        }));
    }

    private static String conditions(WholeLab lab, String namespace) {
        return String.valueOf(lab.controlPlane(namespace).getStatus().conditions());
    }

    private static Map<String, String> hostsOfWorkers(WholeLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .filter(machine -> !machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE))
                .collect(Collectors.toMap(machine -> machine.getMetadata().getUid(), lab::hostOf));
    }

    private static Set<String> uids(List<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getUid()).collect(Collectors.toSet());
    }

    /** What a step of a rollout changes: Machines, and which of them are being deleted. */
    private static Set<String> steps(List<Machine> machines) {
        return machines.stream()
                .map(machine -> machine.getMetadata().getUid() + " "
                        + machine.getMetadata().getDeletionTimestamp())
                .collect(Collectors.toSet());
    }

    private static void annotate(
            KubernetesClient workload,
            String apiVersion,
            String kind,
            String name,
            String annotation,
            @Nullable String value) {
        var unused = workload.genericKubernetesResources(apiVersion, kind)
                .withName(name)
                .patch(
                        MERGE,
                        "{\"metadata\":{\"annotations\":{\"%s\":%s}}}"
                                .formatted(annotation, value == null ? "null" : "\"" + value + "\""));
    }

    /** Of all Machines, as its users set it: longer than a restart takes. */
    private static String healthCheck() {
        return """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata: {name: check}
            spec:
              clusterName: multinode
              selector: {matchLabels: {cluster.x-k8s.io/cluster-name: multinode}}
              checks:
                nodeStartupTimeoutSeconds: 0
                unhealthyNodeConditions:
                - {type: Ready, status: Unknown, timeoutSeconds: 300}
                - {type: Ready, status: "False", timeoutSeconds: 300}
            """;
    }

    /** Looks at a cluster once a second. */
    private static final class Pulse implements AutoCloseable {

        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        private final List<String> outages = new CopyOnWriteArrayList<>();
        private final List<Voters> voters = new CopyOnWriteArrayList<>();
        private final String kubeconfig;
        private final KubernetesClient workload;

        Pulse(String kubeconfig, KubernetesClient workload) {
            this.kubeconfig = kubeconfig;
            this.workload = workload;
            var unused = timer.scheduleWithFixedDelay(this::look, 0, 1, TimeUnit.SECONDS);
        }

        private void look() {
            try {
                assertThat(workload.raw("/readyz")).isNotNull();
                Voters.of(kubeconfig)
                        .filter(now -> voters.isEmpty() || !voters.getLast().equals(now))
                        .ifPresent(voters::add);
            } catch (KubernetesClientException | AssertionError e) {
                outages.add(String.valueOf(e));
            }
        }

        List<Voters> voters() {
            return voters;
        }

        List<String> outages() {
            return outages;
        }

        @Override
        public void close() {
            timer.shutdownNow();
        }
    }
}
