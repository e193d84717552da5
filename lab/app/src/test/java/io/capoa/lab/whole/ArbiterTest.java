package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.ConditionView;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster of two control plane hosts and an arbiter is installed, and keeps its roles when all Machines are replaced. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class ArbiterTest {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String ARBITER = "node-role.kubernetes.io/arbiter";

    @Test
    void twoHostsAndAnArbiter_areInstalled_andReplacedByHostsOfTheirRoles(WholeLab lab) {
        String namespace = lab.namespace(4);
        lab.apply(namespace, sample -> WholeLab.withoutWorkers(sample).replaceFirst("  replicas: 3\n", """
                  replicas: 3
                  arbiter: {replicas: 1}
                  machineNaming: {template: "{{ .cluster.name }}-cp-{{ .random }}"}
                """));
        lab.awaitReady(namespace);

        assertThat(roles(lab, namespace)).containsExactly("arbiter", "master", "master");
        assertThat(lab.machines(namespace))
                .extracting(machine -> machine.getMetadata().getName())
                .allMatch(name -> name.matches("multinode-cp-[a-z0-9]{5}"));
        Set<String> before = uids(lab, namespace);

        lab.patchControlPlane(
                namespace, "{\"spec\":{\"openshiftAssistedConfigSpec\":{\"nodeLabels\":{\"rack\":\"b\"}}}}");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(lab.machines(namespace))
                        .hasSize(3)
                        .allMatch(machine ->
                                !before.contains(machine.getMetadata().getUid()))
                        .allMatch(machine -> ConditionView.isTrue(machine, "Ready")));
        assertThat(roles(lab, namespace)).containsExactly("arbiter", "master", "master");
        lab.awaitReady(namespace);
    }

    /** Roles of the Nodes, in order. */
    private static List<String> roles(WholeLab lab, String namespace) {
        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            return workload.nodes().list().getItems().stream()
                    .map(node -> node.getMetadata().getLabels().containsKey(ARBITER) ? "arbiter" : "master")
                    .sorted()
                    .toList();
        }
    }

    private static Set<String> uids(WholeLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .map(machine -> machine.getMetadata().getUid())
                .collect(Collectors.toSet());
    }
}
