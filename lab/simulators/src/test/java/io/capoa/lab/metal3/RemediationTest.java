package io.capoa.lab.metal3;

import static io.capoa.lab.core.World.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.core.World;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("full")
@ExtendWith(SharedCluster.class)
class RemediationTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private TestCluster cluster;
    private World world;
    private String node = "";

    @BeforeEach
    void start(TestCluster shared) {
        cluster = shared;
    }

    /** A machine with a node; {@code timeout} replaces that of the strategies, zero does not. */
    private void machine(Duration timeout) {
        world = new World(cluster, Delays.none().set(Delays.Of.REMEDIATION, timeout));
        world.cluster();
        new Rack(world.client).fill(world.namespace, 1);
        world.machine("m", "{}", "{url: 'http://images/x', checksum: abc, diskFormat: qcow2}");
        world.bootstrapData("m", "data");
        eventually(() -> assertThat(Metal3.state(host())).isEqualTo("provisioned"));
        world.workloadApi();
        node = world.node("m", host().getMetadata().getUid());
        eventually(() -> assertThat(Fields.string(world.get("Machine", "m"), "status", "nodeRef", "name"))
                .isEqualTo(node));
        untilMetal3HasSeenTheMachine();
    }

    /** Its watch delivers in order: a Machine that was created later has been noticed. */
    private void untilMetal3HasSeenTheMachine() {
        world.machine("later", "{}", "{url: 'http://images/x', checksum: abc, diskFormat: qcow2}");
        eventually(() -> assertThat(
                        ConditionView.of(world.get("Metal3Machine", "later"), Metal3MachineController.ASSOCIATE))
                .hasValueSatisfying(condition -> assertThat(condition.reason()).isEqualTo("WaitingForBootstrapData")));
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void theHostIsOff_whileItsNodeIsDeleted_andTheNewNodeGetsTheLabelsOfTheOld() {
        machine(Duration.ZERO);
        patchNode("{\"metadata\":{\"labels\":{\"tier\":\"gold\"}}}");

        remediate("{type: Reboot, retryLimit: 1, timeoutSeconds: 100}");

        eventually(() -> {
            assertThat(world.client.nodes().withName(node).get()).isNull();
            assertThat(phase()).isEqualTo("Waiting");
            assertThat(Fields.isTrue(host(), "status", "poweredOn")).isTrue();
        });
        assertThat(host().getMetadata().getAnnotations().keySet())
                .noneMatch(annotation -> annotation.startsWith(Metal3.REBOOT));
        world.node("m", host().getMetadata().getUid());
        eventually(() -> assertThat(world.client
                        .nodes()
                        .withName(node)
                        .require()
                        .getMetadata()
                        .getLabels())
                .containsEntry("tier", "gold"));
        assertThat(deprecatedRemediation()).isEmpty();
    }

    @Test
    void afterTheRetries_itGivesUp_withTheDeprecatedConditionAlone() {
        machine(TIMEOUT);
        remediate("{type: Reboot, retryLimit: 2, timeoutSeconds: 100}");

        eventually(() -> {
            assertThat(phase()).isEqualTo("Deleting machine");
            assertThat(deprecatedRemediation())
                    .singleElement()
                    .satisfies(condition ->
                            assertThat(Fields.text(condition, "status")).isEqualTo("False"));
            assertThat(host().getMetadata().getAnnotations()).containsKey(Metal3.UNHEALTHY);
        });
        assertThat(Fields.integer(world.get("Metal3Remediation", "m"), "status", "retryCount"))
                .isEqualTo(2);
        assertThat(ConditionView.of(world.get("Machine", "m"), "OwnerRemediated"))
                .isEmpty();
    }

    private List<?> deprecatedRemediation() {
        return Fields.list(world.get("Machine", "m"), "status", "deprecated", "v1beta1", "conditions").stream()
                .filter(condition -> "OwnerRemediated".equals(Fields.text(condition, "type")))
                .toList();
    }

    @Test
    void ofAHostThatItsOwnerHasPoweredOff_nothingIsRemediated() {
        machine(Duration.ZERO);
        world.patch("BareMetalHost", "host-0", Map.of("spec", Map.of("online", false)));
        // Metal3 has noticed.
        eventually(
                () -> assertThat(Fields.isTrue(host(), "status", "poweredOn")).isFalse());

        remediate("{type: Reboot}");

        eventually(() -> assertThat(phase()).isEqualTo("Failed"));
        assertThat(world.client.nodes().withName(node).get()).isNotNull();
    }

    @Test
    void whenTheRequestIsDeleted_theHostIsPoweredOnAgain() {
        machine(Duration.ZERO);
        // The host stays off until its Node is gone.
        patchNode("{\"metadata\":{\"finalizers\":[\"test/hold\"]}}");
        remediate("{type: Reboot, retryLimit: 1, timeoutSeconds: 100}");
        eventually(() -> {
            assertThat(phase()).isEqualTo("Running");
            assertThat(Fields.isTrue(host(), "status", "poweredOn")).isFalse();
        });

        world.delete("Metal3Remediation", "m");

        eventually(() -> {
            assertThat(world.find("Metal3Remediation", "m")).isNull();
            assertThat(Fields.isTrue(host(), "status", "poweredOn")).isTrue();
        });
        patchNode("{\"metadata\":{\"finalizers\":null}}");
    }

    /** The simulators write the Node as well. */
    private void patchNode(String change) {
        var unused = world.client.nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), change);
    }

    private void remediate(String strategy) {
        world.apply("""
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3Remediation
            metadata:
              name: m
              namespace: NS
              ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: m, uid: UID}]
            spec: {strategy: STRATEGY}
            """.replace("STRATEGY", strategy)
                .replace("UID", world.get("Machine", "m").getMetadata().getUid()));
    }

    private String phase() {
        return Objects.requireNonNullElse(Fields.string(world.get("Metal3Remediation", "m"), "status", "phase"), "");
    }

    private GenericKubernetesResource host() {
        return world.get("BareMetalHost", "host-0");
    }
}
