package io.capoa.lab.core;

import static io.capoa.lab.core.World.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.metal3.Rack;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("full")
@ExtendWith(SharedCluster.class)
class HealthCheckTest {

    private World world;

    @BeforeEach
    void start(TestCluster cluster) {
        world = new World(cluster, Delays.none());
        world.cluster();
        new Rack(world.client).fill(world.namespace, 2);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void aMachineWithAnUnhealthyNode_isMarkedForItsOwner_andHealthyAgainAfterwards() {
        String node = running("m", "{cluster.x-k8s.io/control-plane: ''}");
        check("");
        eventually(() -> assertThat(condition("m", "HealthCheckSucceeded")).isEqualTo("True HealthCheckSucceeded"));

        world.nodeReady(node, "Unknown");

        eventually(() -> {
            assertThat(condition("m", "HealthCheckSucceeded")).isEqualTo("False UnhealthyNode");
            assertThat(condition("m", "OwnerRemediated")).isEqualTo("False WaitingForRemediation");
            GenericKubernetesResource check = world.get("MachineHealthCheck", "check");
            assertThat(Fields.integer(check, "status", "currentHealthy")).isZero();
            assertThat(Fields.integer(check, "status", "expectedMachines")).isEqualTo(1);
            assertThat(ConditionView.isTrue(check, "RemediationAllowed")).isTrue();
        });
        world.nodeReady(node, "True");
        eventually(() -> assertThat(condition("m", "HealthCheckSucceeded")).isEqualTo("True HealthCheckSucceeded"));
        // Only the owner removes its own condition.
        assertThat(condition("m", "OwnerRemediated")).isEqualTo("False WaitingForRemediation");
    }

    @Test
    void aWorkerOfAMachineSet_isReplaced() {
        var unused = running("m", "{}");
        GenericKubernetesResource other = world.get("Machine", "m");
        world.apply("""
            apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedConfigTemplate
            metadata: {name: w, namespace: NS}
            spec: {template: {spec: {}}}
            ---
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3MachineTemplate
            metadata: {name: w, namespace: NS}
            spec: {template: {spec: {image: {url: 'http://images/x', checksum: abc, diskFormat: qcow2}}}}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineSet
            metadata: {name: w, namespace: NS}
            spec:
              clusterName: c
              replicas: 1
              selector: {}
              template:
                spec:
                  clusterName: c
                  bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfigTemplate, name: w}}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: w}
            """);
        eventually(() -> assertThat(world.list("Machine")).hasSize(2));
        String first = world.list("Machine").stream()
                .map(m -> m.getMetadata().getName())
                .filter(name -> !name.equals("m"))
                .findFirst()
                .orElseThrow();

        check("");
        world.patch(
                "Machine", first, Map.of("metadata", Map.of("annotations", Map.of(Contract.REMEDIATE_MACHINE, ""))));

        eventually(() -> {
            assertThat(world.find("Machine", first)).isNull();
            assertThat(world.list("Machine")).hasSize(2);
        });
        assertThat(world.get("Machine", "m").getMetadata().getUid())
                .isEqualTo(other.getMetadata().getUid());
    }

    @Test
    void skippedMachines_andTooManyUnhealthyOnes_areLeftAlone() {
        running("m", "{}");
        mark("m", Contract.REMEDIATE_MACHINE);
        check("triggerIf: {unhealthyLessThanOrEqualTo: 0}");
        eventually(() -> {
            assertThat(reason("MachineHealthCheck", "check", "RemediationAllowed"))
                    .isEqualTo("TooManyUnhealthy");
            assertThat(condition("m", "HealthCheckSucceeded")).isEqualTo("False HasRemediateAnnotation");
        });
        assertThat(condition("m", "OwnerRemediated")).isEmpty();

        mark("m", Contract.SKIP_REMEDIATION);
        eventually(
                () -> assertThat(Fields.integer(world.get("MachineHealthCheck", "check"), "status", "expectedMachines"))
                        .isZero());
    }

    @Test
    void withATemplate_aRequestNamedLikeTheMachineIsCreated_andDeletedOnceItIsHealthy() {
        running("m", "{}");
        // Metal3 leaves a host alone that its owner has powered off, so that the Node stays.
        world.patch("BareMetalHost", host("m").getMetadata().getName(), Map.of("spec", Map.of("online", false)));
        eventually(() ->
                assertThat(Fields.isTrue(host("m"), "status", "poweredOn")).isFalse());
        markAndCheckWithoutTemplate("m");

        world.apply("""
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3RemediationTemplate
            metadata: {name: r, namespace: NS}
            spec: {template: {spec: {strategy: {type: Reboot, retryLimit: 1, timeoutSeconds: 100}}}}
            """);

        eventually(() -> {
            assertThat(condition("m", "ExternallyRemediated")).isEqualTo("False WaitingForRemediation");
            assertThat(Fields.integer(world.get("Metal3Remediation", "m"), "spec", "strategy", "timeoutSeconds"))
                    .isEqualTo(100);
        });
        assertThat(condition("m", "OwnerRemediated")).isEmpty();
        Map<String, Object> none = new HashMap<>();
        none.put(Contract.REMEDIATE_MACHINE, null);
        world.patch("Machine", "m", Map.of("metadata", Map.of("annotations", none)));
        eventually(() -> {
            assertThat(world.find("Metal3Remediation", "m")).isNull();
            assertThat(condition("m", "ExternallyRemediated")).isEmpty();
        });
    }

    @Test
    void aRequestWhoseReportMetAConflict_isReportedLater() {
        running("m", "{}");
        markAndCheckWithoutTemplate("m");

        world.apply("""
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3Remediation
            metadata: {name: m, namespace: NS}
            spec: {strategy: {type: Reboot, retryLimit: 1, timeoutSeconds: 100}}
            """);

        eventually(() -> assertThat(condition("m", "ExternallyRemediated")).isEqualTo("False WaitingForRemediation"));
    }

    /** The health check's template r does not exist yet. */
    private void markAndCheckWithoutTemplate(String machine) {
        mark(machine, Contract.REMEDIATE_MACHINE);
        check(
                "templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: Metal3RemediationTemplate, name: r}");
        eventually(() ->
                assertThat(condition(machine, "ExternallyRemediated")).isEqualTo("False RemediationTemplateNotFound"));
    }

    /** A Machine with a ready Node; returns the Node's name. */
    private String running(String name, String labels) {
        world.machine(
                name,
                labels,
                "{url: 'http://images/rhcos.qcow2', checksum: abc, checksumType: sha256, diskFormat: qcow2}");
        world.bootstrapData(name, "data-" + name);
        eventually(() -> assertThat(host(name)).isNotNull());
        world.workloadApi();
        String node = world.node(name, host(name).getMetadata().getUid());
        eventually(() -> assertThat(Fields.string(world.get("Machine", name), "status", "nodeRef", "name"))
                .isEqualTo(node));
        return node;
    }

    private GenericKubernetesResource host(String consumer) {
        List<GenericKubernetesResource> hosts = world.list("BareMetalHost").stream()
                .filter(host -> consumer.equals(Fields.string(host, "spec", "consumerRef", "name")))
                .filter(host -> "provisioned".equals(Fields.string(host, "status", "provisioning", "state")))
                .toList();
        return hosts.getFirst();
    }

    private void check(String remediation) {
        world.apply("""
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata: {name: check, namespace: NS}
            spec:
              clusterName: c
              selector: {}
              checks:
                nodeStartupTimeoutSeconds: 0
                unhealthyNodeConditions: [{type: Ready, status: Unknown, timeoutSeconds: 1}]
            """ + (remediation.isEmpty() ? "" : "  remediation: {" + remediation + "}\n"));
    }

    private void mark(String machine, String annotation) {
        world.patch("Machine", machine, Map.of("metadata", Map.of("annotations", Map.of(annotation, ""))));
    }

    private String condition(String machine, String type) {
        return ConditionView.of(world.get("Machine", machine), type)
                .map(condition -> condition.status() + " " + condition.reason())
                .orElse("");
    }

    private String reason(String kind, String name, String type) {
        return ConditionView.of(world.get(kind, name), type)
                .map(ConditionView::reason)
                .orElse("");
    }
}
