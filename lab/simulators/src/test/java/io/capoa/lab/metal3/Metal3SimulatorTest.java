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
import io.fabric8.kubernetes.client.Watch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("full")
@ExtendWith(SharedCluster.class)
class Metal3SimulatorTest {

    private static final String QCOW =
            "{url: 'http://images/rhcos.qcow2', checksum: abc, checksumType: sha256, diskFormat: qcow2}";
    private static final String BARE_QCOW = "{url: 'http://images/rhcos.qcow2', diskFormat: qcow2}";
    private static final String ISO = "{url: 'http://images/discovery.iso', diskFormat: live-iso}";

    private World world;

    @BeforeEach
    void start(TestCluster cluster) {
        world = new World(cluster, Delays.none());
        world.cluster();
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    void whenNoHostIsFree_theMachineSaysSo_andTakesTheFirstThatComes() {
        world.machine("m", "{}", QCOW);
        world.bootstrapData("m", "data");
        eventually(() -> {
            ConditionView waiting = ConditionView.of(world.get("Metal3Machine", "m"), Metal3MachineController.ASSOCIATE)
                    .orElseThrow();
            assertThat(waiting.reason()).isEqualTo("AssociateBareMetalHostFailed");
            assertThat(waiting.message()).contains(": no available host found. Requeuing.");
            ConditionView summary =
                    ConditionView.of(world.get("Metal3Machine", "m"), "Ready").orElseThrow();
            assertThat(summary.reason()).isEqualTo("NotReady");
            assertThat(summary.message())
                    .startsWith("* AssociateBareMetalHost: failed to associate the Metal3Machine to a BareMetalHost:")
                    .endsWith("\n* Metal3DataReady: Condition not yet reported");
        });

        new Rack(world.client).fill(world.namespace, 1);

        eventually(
                () -> assertThat(host("host-0", "spec", "consumerRef", "name")).isEqualTo("m"));
    }

    @Test
    void aDiskImageIsWrittenWithUserData_andTheHostIsFreeAgainAfterDeletion() {
        new Rack(world.client).fill(world.namespace, 1);
        world.machine("m", "{}", QCOW);
        world.bootstrapData("m", "data");
        eventually(() -> {
            assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("provisioned");
            assertThat(host("host-0", "status", "provisioning", "image", "format"))
                    .isEqualTo("qcow2");
            assertThat(host("host-0", "spec", "userData", "name")).isEqualTo("data");
            assertThat(Fields.isTrue(world.get("BareMetalHost", "host-0"), "status", "poweredOn"))
                    .isTrue();
            assertThat(world.get("Metal3Machine", "m").getMetadata().getAnnotations())
                    .containsEntry(Metal3.HOST_ANNOTATION, world.namespace + "/host-0");
        });
        world.delete("Machine", "m");

        eventually(() -> {
            GenericKubernetesResource host = world.get("BareMetalHost", "host-0");
            assertThat(world.find("Metal3Machine", "m")).isNull();
            assertThat(Metal3.state(host)).isEqualTo("available");
            assertThat(Fields.any(host, "spec", "consumerRef")).isNull();
            assertThat(Fields.any(host, "spec", "image")).isNull();
            assertThat(Fields.isTrue(host, "status", "poweredOn")).isFalse();
        });
    }

    @Test
    void aLiveIsoNeedsNoChecksum_aDiskImageDoes() {
        new Rack(world.client).fill(world.namespace, 1);
        world.machine("iso", "{}", ISO);
        world.bootstrapData("iso", "iso-data");
        eventually(() ->
                assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("provisioned"));
        new Rack(world.client).fill(world.namespace, 2);
        world.machine("disk", "{}", BARE_QCOW);
        world.bootstrapData("disk", "disk-data");

        eventually(() -> {
            assertThat(host("host-1", "status", "errorType")).isEqualTo("provisioning error");
            assertThat(host("host-1", "status", "errorMessage")).contains("no checksum");
            assertThat(ConditionView.of(world.get("Metal3Machine", "disk"), "Ready")
                            .orElseThrow()
                            .reason())
                    .isEqualTo("BareMetalHostError");
        });
    }

    @Test
    void aDiskImageIsWrittenToADiskThatMeetsTheHints_orToNone() {
        new Rack(world.client).fill(world.namespace, 1);
        hints(Map.of("deviceName", "/dev/sda", "minSizeGigabytes", 500));
        world.machine("m", "{}", QCOW);
        world.bootstrapData("m", "data");
        eventually(() -> {
            assertThat(host("host-0", "status", "errorType")).isEqualTo("provisioning error");
            assertThat(host("host-0", "status", "errorMessage"))
                    .contains("No suitable device was found", "minSizeGigabytes=500");
        });

        hints(Map.of("minSizeGigabytes", 400));

        eventually(() ->
                assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("provisioned"));
    }

    @Test
    void anInspectionFindsTheHardwareOfItsTime_andIsRepeatedOnDemand() {
        new Rack(world.client).fill(world.namespace, 1);
        eventually(
                () -> assertThat(Fields.any(world.get("BareMetalHost", "host-0"), "status", "hardware", "ramMebibytes"))
                        .isEqualTo(65_536));
        annotate(HostHardware.ANNOTATION, "memory=8 architecture=aarch64");
        assertThat(Fields.any(world.get("BareMetalHost", "host-0"), "status", "hardware", "ramMebibytes"))
                .isEqualTo(65_536);

        annotate(Metal3.INSPECT, "");

        eventually(() -> {
            GenericKubernetesResource host = world.get("BareMetalHost", "host-0");
            assertThat(Fields.any(host, "status", "hardware", "ramMebibytes")).isEqualTo(8192);
            assertThat(Fields.any(host, "status", "hardware", "cpu", "arch")).isEqualTo("aarch64");
            assertThat(host.getMetadata().getAnnotations()).doesNotContainKey(Metal3.INSPECT);
            assertThat(Metal3.state(host)).isEqualTo("available");
        });
        annotate(HostHardware.ANNOTATION, "memory=much");
        annotate(Metal3.INSPECT, "");
        eventually(() -> {
            assertThat(host("host-0", "status", "errorType")).isEqualTo("inspection error");
            assertThat(host("host-0", "status", "errorMessage")).contains("much instead of a number");
        });
    }

    @Test
    void aFailureOnDemandShows_andEndsWithTheAnnotation() {
        new Rack(world.client).fill(world.namespace, 1);
        annotate("provisioning error");
        world.machine("m", "{}", QCOW);
        world.bootstrapData("m", "data");
        eventually(
                () -> assertThat(host("host-0", "status", "operationalStatus")).isEqualTo("error"));

        annotate(null);

        eventually(() -> {
            assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("provisioned");
            assertThat(host("host-0", "status", "operationalStatus")).isEqualTo("OK");
        });
    }

    @Test
    void aReboot_takesThePowerAway_andEndsByItself_unlessItHasAKey() {
        new Rack(world.client).fill(world.namespace, 1);
        world.machine("m", "{}", QCOW);
        world.bootstrapData("m", "data");
        eventually(() ->
                assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("provisioned"));

        annotation("reboot.metal3.io/mine", "");
        eventually(() -> assertThat(isOn()).isFalse());
        annotation("reboot.metal3.io/mine", null);
        eventually(() -> assertThat(isOn()).isTrue());

        // It is off for a moment only, which the host's history has.
        List<Boolean> power = new CopyOnWriteArrayList<>();
        Watch watch =
                world.watch("BareMetalHost", "host-0", host -> power.add(Fields.isTrue(host, "status", "poweredOn")));
        annotation(Metal3.REBOOT, "{\"mode\":\"hard\"}");
        eventually(() -> {
            assertThat(power).containsSubsequence(false, true);
            assertThat(world.get("BareMetalHost", "host-0").getMetadata().getAnnotations())
                    .doesNotContainKey(Metal3.REBOOT);
        });
        watch.close();
        assertThat(host("host-0", "status", "operationHistory", "provision", "end"))
                .isNotEmpty();
    }

    @Test
    void aHostThatMayNotBePoweredOff_isRebooted_againAndAgainWithAKey() {
        new Rack(world.client).fill(world.namespace, 1);
        world.machine("m", "{}", QCOW);
        world.bootstrapData("m", "data");
        eventually(() ->
                assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("provisioned"));
        world.patch("BareMetalHost", "host-0", Map.of("spec", Map.of("disablePowerOff", true)));

        List<Boolean> power = new CopyOnWriteArrayList<>();
        Watch watch =
                world.watch("BareMetalHost", "host-0", host -> power.add(Fields.isTrue(host, "status", "poweredOn")));
        annotation("reboot.metal3.io/mine", "");
        eventually(() -> assertThat(power).containsSubsequence(false, true, false, true));
        watch.close();
        annotation("reboot.metal3.io/mine", null);
        eventually(() -> assertThat(isOn()).isTrue());
    }

    @Test
    void aRebootThatWasAskedForBefore_isForgottenWhenTheHostIsProvisioned() {
        new Rack(world.client).fill(world.namespace, 1);
        annotation("reboot.metal3.io/left", "{\"mode\":\"hard\"}");
        world.machine("m", "{}", QCOW);
        world.bootstrapData("m", "data");

        eventually(() -> {
            assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("provisioned");
            assertThat(world.get("BareMetalHost", "host-0").getMetadata().getAnnotations())
                    .doesNotContainKey("reboot.metal3.io/left");
            assertThat(isOn()).isTrue();
        });
    }

    @Test
    void aDetachedHost_isIgnored_andIsNotDeprovisionedBeforeItIsAttachedAgain() {
        new Rack(world.client).fill(world.namespace, 1);
        provisioned("m", "host-0");
        new Rack(world.client).fill(world.namespace, 2);
        provisioned("attached", "host-1");
        annotation(Metal3.DETACHED, "{}");
        eventually(
                () -> assertThat(host("host-0", "status", "operationalStatus")).isEqualTo("detached"));

        annotation(Metal3.REBOOT, "");
        world.delete("Machine", "m");
        eventually(() -> assertThat(Fields.any(world.get("BareMetalHost", "host-0"), "spec", "image"))
                .isNull());
        // An attached host, whose Machine is deleted later, is deprovisioned from beginning to end.
        world.delete("Machine", "attached");
        eventually(() -> {
            assertThat(world.find("Metal3Machine", "attached")).isNull();
            assertThat(host("host-1", "status", "provisioning", "state")).isEqualTo("available");
        });
        assertThat(isOn()).isTrue();
        assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("provisioned");
        assertThat(world.find("Metal3Machine", "m")).isNotNull();

        annotation(Metal3.DETACHED, null);
        eventually(() -> {
            assertThat(world.find("Metal3Machine", "m")).isNull();
            assertThat(host("host-0", "status", "provisioning", "state")).isEqualTo("available");
        });
    }

    private void provisioned(String machine, String host) {
        world.machine(machine, "{}", ISO);
        world.bootstrapData(machine, machine + "-data");
        eventually(
                () -> assertThat(host(host, "status", "provisioning", "state")).isEqualTo("provisioned"));
    }

    private boolean isOn() {
        return Fields.isTrue(world.get("BareMetalHost", "host-0"), "status", "poweredOn");
    }

    private void annotation(String name, @org.jspecify.annotations.Nullable String value) {
        Map<String, Object> annotations = new HashMap<>();
        annotations.put(name, value);
        world.patch("BareMetalHost", "host-0", Map.of("metadata", Map.of("annotations", annotations)));
    }

    @Test
    void aMachineIsReadyOnlyWhenExactlyOneNodeCarriesItsHostsUid() {
        new Rack(world.client).fill(world.namespace, 1);
        world.machine("m", "{}", QCOW);
        world.bootstrapData("m", "data");
        world.workloadApi();
        eventually(() -> assertThat(message("m")).startsWith("Waiting for a node with label metal3.io/uuid="));
        String uid = world.get("BareMetalHost", "host-0").getMetadata().getUid();

        world.node("m", uid);

        eventually(() -> {
            GenericKubernetesResource machine = world.get("Metal3Machine", "m");
            assertThat(Fields.string(machine, "spec", "providerID"))
                    .isEqualTo("metal3://" + world.namespace + "/host-0/m");
            assertThat(Fields.isTrue(machine, "status", "initialization", "provisioned"))
                    .isTrue();
            assertThat(ConditionView.isTrue(machine, "Ready")).isTrue();
            assertThat(Fields.list(machine, "status", "addresses")).isNotEmpty();
        });
    }

    private String message(String machine) {
        return ConditionView.of(world.get("Metal3Machine", machine), "Ready")
                .orElseThrow()
                .message();
    }

    private String host(String name, String... path) {
        String value = Fields.string(world.get("BareMetalHost", name), path);
        return value == null ? "" : value;
    }

    private void hints(Map<String, Object> hints) {
        world.patch("BareMetalHost", "host-0", Map.of("spec", Map.of("rootDeviceHints", hints)));
    }

    private void annotate(@Nullable String failure) {
        annotate(Metal3.FAIL, failure);
    }

    private void annotate(String annotation, @Nullable String value) {
        Map<String, Object> annotations = new HashMap<>();
        annotations.put(annotation, value);
        world.patch("BareMetalHost", "host-0", Map.of("metadata", Map.of("annotations", annotations)));
    }
}
