package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.LastRemediation;
import io.capoa.lab.provider.Conflicts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A MachineHealthCheck of the real core finds a dead control plane Machine. */
@Tag("e2e")
@OnRealLab
class RemediationTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String HEALTH_CHECK = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata:
              name: control-plane
            spec:
              clusterName: multinode
              selector:
                matchLabels:
                  cluster.x-k8s.io/control-plane: ""
              checks:
                nodeStartupTimeoutSeconds: 0
                unhealthyNodeConditions:
                - {type: Ready, status: Unknown, timeoutSeconds: 1}
                - {type: Ready, status: "False", timeoutSeconds: 1}
            """;

    @Test
    void aDeadControlPlaneMachine_isReplacedOnASpareHost_onceTheQuorumGuardMayBeOverridden(RealLab lab) {
        String namespace = lab.namespace(4);
        lab.applySample(namespace, text -> text.replace("replicas: 2", "replicas: 0"));
        lab.awaitAvailable(namespace, "multinode", 3);
        lab.apply(namespace, HEALTH_CHECK);
        Machine dead = controlPlanes(lab, namespace).getFirst();

        BareMetalHost host = kill(lab, namespace, dead);
        lab.awaitUntil(
                namespace,
                "multinode",
                () -> assertThat(ConditionView.of(lab.admin().resource(dead).require(), "OwnerRemediated"))
                        .hasValueSatisfying(condition ->
                                assertThat(condition.message()).contains("spec.remediation.overrideEtcdQuorumGuard")));
        assertThat(uids(controlPlanes(lab, namespace)))
                .contains(dead.getMetadata().getUid());

        var unused = lab.admin()
                .resource(controlPlane(lab, namespace))
                .patch(MERGE, "{\"spec\":{\"remediation\":{\"overrideEtcdQuorumGuard\":true}}}");
        lab.awaitUntil(
                namespace,
                "multinode",
                () -> assertThat(uids(controlPlanes(lab, namespace)))
                        .hasSize(3)
                        .doesNotContain(dead.getMetadata().getUid()));
        lab.awaitAvailable(namespace, "multinode", 3);
        assertThat(controlPlane(lab, namespace).getStatus().lastRemediation())
                .extracting(LastRemediation::machine)
                .isEqualTo(dead.getMetadata().getName());
        assertThat(lab.admin().resource(host).require()).satisfies(marked -> {
            assertThat(marked.getMetadata().getAnnotations()).containsKey(Annotations.HOST_UNHEALTHY);
            assertThat(Fields.string(marked, "spec", "consumerRef", "name")).isNull();
        });
        assertThat(Conflicts.in(lab.audit(), namespace)).isEmpty();
    }

    private static BareMetalHost kill(RealLab lab, String namespace, Machine machine) {
        String consumer = String.valueOf(Fields.string(machine, "spec", "infrastructureRef", "name"));
        BareMetalHost host =
                lab.admin().resources(BareMetalHost.class).inNamespace(namespace).list().getItems().stream()
                        .filter(one -> consumer.equals(Fields.string(one, "spec", "consumerRef", "name")))
                        .findFirst()
                        .orElseThrow();
        return lab.admin().resource(host).patch(MERGE, """
                {"metadata":{"annotations":{"lab.capoa.io/fail":"dead"}}}""");
    }

    private static OpenshiftAssistedControlPlane controlPlane(RealLab lab, String namespace) {
        return lab.admin()
                .resources(OpenshiftAssistedControlPlane.class)
                .inNamespace(namespace)
                .withName("multinode")
                .require();
    }

    private static List<Machine> controlPlanes(RealLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .filter(machine -> machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE))
                .toList();
    }

    private static Set<String> uids(List<? extends HasMetadata> objects) {
        return objects.stream().map(object -> object.getMetadata().getUid()).collect(Collectors.toSet());
    }
}
