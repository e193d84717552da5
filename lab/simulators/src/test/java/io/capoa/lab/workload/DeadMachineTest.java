package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.controller.Delays;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class DeadMachineTest {

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration SOON = GRACE.plusSeconds(30);

    private UpgradeScene scene;

    @BeforeEach
    void start() throws Exception {
        scene = new UpgradeScene(UpgradeScene.quick().set(Delays.Of.GRACE, GRACE));
    }

    @AfterEach
    void stop() {
        scene.close();
    }

    @Test
    void aDeadMaster_degradesEtcdAtOnce_andItsNodeAfterTheGracePeriod() throws Exception {
        scene.cluster.machineOff("m-1");

        assertThat(ready("m-1")).isEqualTo("True");
        assertThat(etcd("EtcdMembersDegraded"))
                .isEqualTo("True UnhealthyMembers 2 of 3 members are available, m-1 is unhealthy");
        assertThat(etcd("EtcdMembersAvailable")).startsWith("True EtcdQuorate");
        assertThat(scene.cluster
                        .etcdctl()
                        .run(List.of("etcdctl", "endpoint", "health", "--cluster", "-w", "json"))
                        .exitCode())
                .isEqualTo(1);
        assertThat(scene.client
                        .pods()
                        .inNamespace("openshift-etcd")
                        .withName("etcd-m-1")
                        .require()
                        .getStatus()
                        .getConditions())
                .filteredOn(condition -> condition.getType().equals("Ready"))
                .singleElement()
                .satisfies(condition -> assertThat(condition.getStatus()).isEqualTo("False"));
        await().atMost(SOON).untilAsserted(() -> assertThat(ready("m-1")).isEqualTo("Unknown"));

        scene.powerOn("m-1", "master");
        await().untilAsserted(() -> assertThat(etcd("EtcdMembersDegraded")).startsWith("False AsExpected"));
    }

    @Test
    void withinTheGracePeriod_aPowerCycleIsNotNoticed() throws Exception {
        scene.cluster.machineOff("w-0");
        scene.powerOn("w-0", "worker");

        // The same timer notices one that goes off later and stays off.
        scene.cluster.machineOff("w-1");
        await().atMost(SOON).untilAsserted(() -> assertThat(ready("w-1")).isEqualTo("Unknown"));
        assertThat(ready("w-0")).isEqualTo("True");
    }

    @Test
    void withTheMajorityDead_theApiDoesNotAnswer_untilOneIsBack() throws Exception {
        scene.cluster.machineOff("m-0");
        scene.cluster.machineOff("m-1");

        assertThat(scene.cluster.isUp()).isFalse();
        assertThatThrownBy(() -> scene.client.nodes().list()).isInstanceOf(KubernetesClientException.class);
        scene.powerOn("m-0", "master");
        assertThat(scene.client.nodes().list().getItems()).hasSize(5);
    }

    private String ready(String node) {
        return scene.client.nodes().withName(node).require().getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("Ready"))
                .findFirst()
                .orElseThrow()
                .getStatus();
    }

    private String etcd(String type) {
        GenericKubernetesResource etcd = scene.client
                .genericKubernetesResources("operator.openshift.io/v1", "Etcd")
                .withName("cluster")
                .require();
        List<Map<String, Object>> conditions = etcd.get("status", "conditions");
        Map<String, Object> found = conditions.stream()
                .filter(condition -> type.equals(condition.get("type")))
                .findFirst()
                .orElseThrow();
        return found.get("status") + " " + found.get("reason") + " " + found.get("message");
    }
}
