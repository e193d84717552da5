package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Labels;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Installed hosts that die, in clusters with MachineHealthChecks. */
@Tag("full")
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class DeadHostTest {

    private static final String FAIL = "lab.capoa.io/fail";

    @Test
    void aDeadWorker_isReplaced(WholeLab lab) {
        String namespace = lab.namespace(6);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        Machine worker = lab.machines(namespace).stream()
                .filter(machine -> !isControlPlane(machine))
                .findFirst()
                .orElseThrow();
        lab.apply(namespace, healthCheck("DoesNotExist"));
        String host = lab.hostOf(worker);
        // Else the replacement may take the dead host again, as soon as it is deprovisioned.
        lab.annotateHost(namespace, host, "capm3.metal3.io/unhealthy", "");

        lab.annotateHost(namespace, host, FAIL, "dead");

        await().atMost(WholeLab.SOON).untilAsserted(() -> {
            assertThat(lab.machines(namespace))
                    .extracting(machine -> machine.getMetadata().getUid())
                    .doesNotContain(worker.getMetadata().getUid());
            assertThat(lab.machines(namespace))
                    .hasSize(5)
                    .allSatisfy(machine ->
                            assertThat(ConditionView.isTrue(machine, "Ready")).isTrue());
        });
        lab.awaitReady(namespace);
        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            assertThat(workload.nodes().list().getItems()).hasSize(5);
        }
    }

    @Test
    void aDeadMaster_isMarkedForItsOwner_andHealthyAgainOnceItRuns(WholeLab lab) {
        String namespace = lab.namespace(5);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        Machine master = lab.machines(namespace).stream()
                .filter(DeadHostTest::isControlPlane)
                .findFirst()
                .orElseThrow();
        String host = lab.hostOf(master);
        pause(lab, namespace);
        lab.apply(namespace, healthCheck("Exists"));

        lab.annotateHost(namespace, host, FAIL, "dead");

        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            await().atMost(WholeLab.SOON).untilAsserted(() -> {
                assertThat(condition(lab, master, "HealthCheckSucceeded")).isEqualTo("False UnhealthyNode");
                assertThat(condition(lab, master, "OwnerRemediated")).isEqualTo("False WaitingForRemediation");
                assertThat(condition(lab, master, "NodeHealthy")).isEqualTo("Unknown NodeHealthyUnknown");
                assertThat(etcdIsDegraded(workload)).isTrue();
            });

            lab.annotateHost(namespace, host, FAIL, null);
            await().atMost(WholeLab.SOON).untilAsserted(() -> {
                assertThat(condition(lab, master, "HealthCheckSucceeded")).isEqualTo("True HealthCheckSucceeded");
                assertThat(etcdIsDegraded(workload)).isFalse();
            });
        }
    }

    /** The control plane's own remediation is not what this test is about. */
    private static void pause(WholeLab lab, String namespace) {
        lab.admin()
                .resource(lab.controlPlane(namespace))
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":\"\"}}}");
    }

    private static String healthCheck(String operator) {
        return """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata: {name: check}
            spec:
              clusterName: multinode
              selector: {matchExpressions: [{key: cluster.x-k8s.io/control-plane, operator: %s}]}
              checks:
                nodeStartupTimeoutSeconds: 0
                unhealthyNodeConditions:
                - {type: Ready, status: Unknown, timeoutSeconds: 1}
                - {type: Ready, status: "False", timeoutSeconds: 1}
            """.formatted(operator);
    }

    private static boolean isControlPlane(Machine machine) {
        return machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE);
    }

    private static String condition(WholeLab lab, Machine machine, String type) {
        GenericKubernetesResource now = lab.admin()
                .resources(Machine.class)
                .inNamespace(machine.getMetadata().getNamespace())
                .withName(machine.getMetadata().getName())
                .require();
        return ConditionView.of(now, type)
                .map(condition -> condition.status() + " " + condition.reason())
                .orElse("");
    }

    private static boolean etcdIsDegraded(KubernetesClient workload) {
        GenericKubernetesResource etcd = workload.genericKubernetesResources("operator.openshift.io/v1", "Etcd")
                .withName("cluster")
                .require();
        return ConditionView.isTrue(etcd, "EtcdMembersDegraded");
    }
}
