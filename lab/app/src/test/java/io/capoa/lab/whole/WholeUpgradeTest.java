package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.StatusVersion;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster of three control plane nodes and two workers, upgraded over a minor version in front of its user. */
@Tag("full")
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class WholeUpgradeTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    @Test
    void aMinorVersionWithPatchesOnBothSides_replacesNoMachine_touchesNoHost_andAsksOnce(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, WholeLab.sample());
        lab.awaitReady(namespace);
        Map<String, String> machines = Upgrades.uids(lab, namespace);
        Map<String, Long> hosts = Upgrades.hostGenerations(lab, namespace);
        List<String> story = new CopyOnWriteArrayList<>();
        try (KubernetesClient workload = lab.workload(namespace, "multinode");
                Watch watch = watch(lab, namespace, story)) {
            assertThat(watch).isNotNull();
            await().atMost(Upgrades.PATIENCE)
                    .until(() -> !Upgrades.generation(workload).equals(0L));
            long asked = Upgrades.generation(workload);

            Upgrades.upgrade(lab, namespace, "4.20.5", "");
            Upgrades.awaitRunning(lab, namespace, "4.20.5");

            hold(workload, "\"\"");
            Upgrades.upgrade(lab, namespace, "4.21.1", ",\"upgrade\":{\"channel\":\"stable-4.21\"}");
            await().atMost(Upgrades.PATIENCE)
                    .until(() -> message(lab, namespace).contains("upgrading to 4.21.1")
                            && message(lab, namespace).contains("cluster operators updated"));
            lab.kill(Provider.CONTROL_PLANE);
            lab.kill(Provider.BOOTSTRAP);
            hold(workload, "null");
            Upgrades.awaitRunning(lab, namespace, "4.21.1");

            Upgrades.upgrade(lab, namespace, "4.21.3", "");
            lab.kill(Provider.CONTROL_PLANE);
            Upgrades.awaitRunning(lab, namespace, "4.21.3");

            assertThat(Upgrades.generation(workload))
                    .as("three requests and one change of the channel, none of them twice")
                    .isEqualTo(asked + 4);
            assertThat(Upgrades.versions(workload))
                    .containsExactly("Completed 4.21.3", "Completed 4.21.1", "Completed 4.20.5", "Completed 4.20.3");
        }

        lab.awaitReady(namespace);
        assertThat(Upgrades.uids(lab, namespace)).isEqualTo(machines);
        assertThat(Upgrades.hostGenerations(lab, namespace)).isEqualTo(hosts);
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
}
