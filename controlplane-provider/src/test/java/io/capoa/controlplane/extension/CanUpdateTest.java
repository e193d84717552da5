package io.capoa.controlplane.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Which changes of Machines can be made in place. */
class CanUpdateTest {

    private final Hooks hooks = new Hooks();

    private JsonNode set(String cluster, String current, String desired) {
        return hooks.call(
                Hook.CAN_UPDATE_MACHINE_SET,
                Hooks.request(
                        Hook.CAN_UPDATE_MACHINE_SET,
                        "\"current\":%s,\"desired\":%s".formatted(group(cluster, current), group(cluster, desired))));
    }

    private static String group(String cluster, String spec) {
        return group(cluster, spec, "{\"image\":{\"url\":\"a\"}}");
    }

    private static String group(String cluster, String spec, String infrastructure) {
        return """
                {"machineSet":{"metadata":{"name":"a","namespace":"ns"},
                  "spec":{"clusterName":"%s","template":{"spec":%s}}},
                 "infrastructureMachineTemplate":{"spec":{"template":{"spec":%s}}},
                 "bootstrapConfigTemplate":{"spec":{"template":{"spec":{}}}}}""".formatted(cluster, spec, infrastructure);
    }

    private JsonNode machine(String current, String desired, String config) {
        String object = """
                {"machine":{"metadata":{"name":"a","namespace":"ns"},"spec":%s},
                 "infrastructureMachine":{"spec":{}},"bootstrapConfig":{"spec":%s}}""";
        return hooks.call(
                Hook.CAN_UPDATE_MACHINE,
                Hooks.request(
                        Hook.CAN_UPDATE_MACHINE,
                        "\"current\":%s,\"desired\":%s"
                                .formatted(object.formatted(current, "{}"), object.formatted(desired, config))));
    }

    private static void assertNo(JsonNode response) {
        assertThat(response.path("status").asText()).isEqualTo("Success");
        assertThat(response.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("apiVersion", "kind", "status", "message");
    }

    @Test
    void aChangeOfTheVersionAlone_isPatched() {
        JsonNode response = set(
                "multinode",
                "{\"version\":\"v1.33.5\",\"failureDomain\":\"a\"}",
                "{\"version\":\"v1.34.1\",\"failureDomain\":\"a\"}");
        assertThat(response.path("kind").asText()).isEqualTo("CanUpdateMachineSetResponse");
        assertThat(response.path("status").asText()).isEqualTo("Success");
        assertThat(Hooks.patch(response, "machineSetPatch"))
                .isEqualTo("JSONMergePatch {\"spec\":{\"template\":{\"spec\":{\"version\":\"v1.34.1\"}}}}");
    }

    @Test
    void fieldsThatClusterApiDoesNotCompare_mayDiffer() {
        JsonNode response = set(
                "multinode",
                "{\"version\":\"v1.33.5\",\"bootstrap\":{\"configRef\":{\"name\":\"a\"}},\"minReadySeconds\":1}",
                "{\"version\":\"v1.34.1\",\"infrastructureRef\":{\"name\":\"b\"},\"taints\":[],"
                        + "\"deletion\":{\"nodeDrainTimeoutSeconds\":60}}");
        assertThat(response.has("machineSetPatch")).isTrue();
    }

    @Test
    void aVersionThatIsAddedOrRemoved_isPatched() {
        assertThat(Hooks.patch(set("multinode", "{}", "{\"version\":\"v1.34.1\"}"), "machineSetPatch"))
                .endsWith("{\"version\":\"v1.34.1\"}}}}");
        assertThat(Hooks.patch(set("multinode", "{\"version\":\"v1.34.1\"}", "{}"), "machineSetPatch"))
                .endsWith("{\"version\":null}}}}");
    }

    @Test
    void anyOtherChange_hasNoPatches_andIsNoFailure() {
        assertNo(set("multinode", "{\"version\":\"v1.33.5\"}", "{\"version\":\"v1.34.1\",\"failureDomain\":\"b\"}"));
        assertNo(set("multinode", "{\"version\":\"v1.33.5\"}", "{\"version\":\"v1.33.5\"}"));
        assertNo(hooks.call(
                Hook.CAN_UPDATE_MACHINE_SET,
                Hooks.request(
                        Hook.CAN_UPDATE_MACHINE_SET,
                        "\"current\":%s,\"desired\":%s"
                                .formatted(
                                        group("multinode", "{\"version\":\"v1.33.5\"}"),
                                        group("multinode", "{\"version\":\"v1.34.1\"}", "{\"image\":{}}")))));
    }

    @Test
    void aForeignOrUnknownCluster_hasNoPatches() {
        assertNo(set("other", "{\"version\":\"v1.33.5\"}", "{\"version\":\"v1.34.1\"}"));
    }

    @Test
    void aNamespaceOfAnotherManager_isAnError_becauseANoWouldReinstallHosts() {
        String request = Hooks.request(
                        Hook.CAN_UPDATE_MACHINE_SET,
                        "\"current\":%s,\"desired\":%s"
                                .formatted(
                                        group("multinode", "{\"version\":\"v1.33.5\"}"),
                                        group("multinode", "{\"version\":\"v1.34.1\"}")))
                .replace("\"ns\"", "\"elsewhere\"");
        assertThat(hooks.call(Hook.CAN_UPDATE_MACHINE_SET, request)
                        .path("status")
                        .asText())
                .isEqualTo("Failure");
    }

    @Test
    void aMachine_isPatchedInItsSpec_unlessItsConfigDiffers() {
        String current = "{\"clusterName\":\"multinode\",\"version\":\"v1.33.5\",\"providerID\":\"a\"}";
        String desired = "{\"clusterName\":\"multinode\",\"version\":\"v1.34.1\"}";
        assertThat(Hooks.patch(machine(current, desired, "{}"), "machinePatch"))
                .isEqualTo("JSONMergePatch {\"spec\":{\"version\":\"v1.34.1\"}}");
        assertNo(machine(current, desired, "{\"sshAuthorizedKey\":\"k\"}"));
    }
}
