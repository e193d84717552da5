package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster of three control plane nodes and two workers, upgraded over a minor version in front of its user. */
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class WholeUpgradeTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void aMinorVersionWithPatchesOnBothSides_replacesNoMachine_touchesNoHost_andAsksOnce(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, WholeLab.sample());
        lab.awaitReady(namespace);
        Map<String, String> machines = uids(lab, namespace);
        Map<String, Long> hosts = hostGenerations(lab, namespace);
        List<String> story = new CopyOnWriteArrayList<>();
        try (KubernetesClient workload = lab.workload(namespace, "multinode");
                Watch watch = watch(lab, namespace, story)) {
            assertThat(watch).isNotNull();
            await().atMost(PATIENCE).until(() -> !generation(workload).equals(0L));
            long asked = generation(workload);

            upgrade(lab, namespace, "4.20.5", "");
            awaitRunning(lab, namespace, "4.20.5");

            hold(workload, "\"\"");
            upgrade(lab, namespace, "4.21.1", ",\"upgrade\":{\"channel\":\"stable-4.21\"}");
            await().atMost(PATIENCE)
                    .until(() -> message(lab, namespace).contains("upgrading to 4.21.1")
                            && message(lab, namespace).contains("cluster operators updated"));
            lab.kill(Provider.CONTROL_PLANE);
            lab.kill(Provider.BOOTSTRAP);
            hold(workload, "null");
            awaitRunning(lab, namespace, "4.21.1");

            upgrade(lab, namespace, "4.21.3", "");
            lab.kill(Provider.CONTROL_PLANE);
            awaitRunning(lab, namespace, "4.21.3");

            assertThat(generation(workload))
                    .as("three requests and one change of the channel, none of them twice")
                    .isEqualTo(asked + 4);
            assertThat(versions(workload))
                    .containsExactly("Completed 4.21.3", "Completed 4.21.1", "Completed 4.20.5", "Completed 4.20.3");
        }

        lab.awaitReady(namespace);
        assertThat(uids(lab, namespace)).isEqualTo(machines);
        assertThat(hostGenerations(lab, namespace)).isEqualTo(hosts);
        OpenshiftAssistedControlPlane controlPlane = lab.controlPlane(namespace);
        assertThat(controlPlane.getStatus().versions()).containsExactly(new StatusVersion("v1.34.5", 3));
        assertThat(controlPlane.getStatus().upToDateReplicas()).isEqualTo(3);
        assertThat(lab.condition(namespace, "UpgradeCompleted")).hasValueSatisfying(condition -> {
            assertThat(condition.status()).isEqualTo(Condition.TRUE);
            assertThat(condition.message()).as("workers follow").isEmpty();
        });
        assertThat(story).containsSubsequence("4.20.3", "4.20.5", "4.21.1", "4.21.3");
        assertThat(lab.condition(namespace, "WorkersFollowInPlace")).hasValueSatisfying(condition -> {
            assertThat(condition.reason()).isEqualTo("WorkerVersionOutdated");
            assertThat(condition.message())
                    .startsWith("a change of the version of MachineDeployment multinode-worker from v1.33.5 to v1.34.5"
                            + " would reinstall its hosts");
        });
    }

    /** Records each release that the status names. */
    private static Watch watch(WholeLab lab, String namespace, List<String> story) {
        return lab.admin()
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("multinode")
                .watch(new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, OpenshiftAssistedControlPlane controlPlane) {
                        String runs = controlPlane.getStatus().distributionVersion();
                        if (story.isEmpty() || !story.getLast().equals(runs)) {
                            story.add(String.valueOf(runs));
                        }
                    }

                    @Override
                    public void onClose(WatcherException cause) {
                        story.add("watch ended: " + cause);
                    }
                });
    }

    static void upgrade(WholeLab lab, String namespace, String version, String more) {
        var unused = lab.admin()
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("multinode")
                .patch(MERGE, "{\"spec\":{\"distributionVersion\":\"%s\"%s}}".formatted(version, more));
    }

    static void awaitRunning(WholeLab lab, String namespace, String version) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(lab.controlPlane(namespace).getStatus().distributionVersion())
                    .as(() ->
                            lab.controlPlane(namespace).getStatus().conditions().toString())
                    .isEqualTo(version);
            assertThat(lab.condition(namespace, "UpgradeCompleted"))
                    .hasValueSatisfying(condition ->
                            assertThat(condition.status() + condition.message()).isEqualTo(Condition.TRUE));
        });
    }

    private static String message(WholeLab lab, String namespace) {
        return lab.condition(namespace, "UpgradeCompleted")
                .map(Condition::message)
                .orElse("");
    }

    private static void hold(KubernetesClient workload, String value) {
        var unused = workload.genericKubernetesResources("config.openshift.io/v1", "ClusterOperator")
                .withName("dns")
                .patch(MERGE, "{\"metadata\":{\"annotations\":{\"lab.capoa.io/hold\":%s}}}".formatted(value));
    }

    private static Resource<GenericKubernetesResource> version(KubernetesClient workload) {
        return workload.genericKubernetesResources("config.openshift.io/v1", "ClusterVersion")
                .withName("version");
    }

    static Long generation(KubernetesClient workload) {
        return version(workload).require().getMetadata().getGeneration();
    }

    static List<String> versions(KubernetesClient workload) {
        return Fields.list(version(workload).require(), "status", "history").stream()
                .map(entry -> Fields.text(entry, "state") + " " + Fields.text(entry, "version"))
                .toList();
    }

    static Map<String, String> uids(WholeLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .collect(Collectors.toMap(
                        (Machine machine) -> machine.getMetadata().getName(),
                        machine -> machine.getMetadata().getUid()));
    }

    static Map<String, Long> hostGenerations(WholeLab lab, String namespace) {
        return hosts(lab, namespace)
                .collect(Collectors.toMap(
                        host -> host.getMetadata().getName(),
                        host -> host.getMetadata().getGeneration()));
    }

    private static Stream<BareMetalHost> hosts(WholeLab lab, String namespace) {
        return lab.admin().resources(BareMetalHost.class).inNamespace(namespace).list().getItems().stream();
    }
}
