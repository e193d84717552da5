package io.capoa.controlplane.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The wire protocol of the hooks, with requests that are well-formed and others. */
class HookHandlerTest {

    private final Hooks hooks = new Hooks();

    @Test
    void theDiscovery_listsEachHookWithFailurePolicyFail_andEachIsServed() {
        JsonNode response =
                hooks.call("/hooks.runtime.cluster.x-k8s.io/v1alpha1/discovery", """
                {"apiVersion":"hooks.runtime.cluster.x-k8s.io/v1alpha1","kind":"DiscoveryRequest"}""".getBytes(StandardCharsets.UTF_8));
        assertThat(response.path("kind").asText()).isEqualTo("DiscoveryResponse");
        assertThat(response.path("status").asText()).isEqualTo("Success");
        Set<String> served = new TreeSet<>();
        for (JsonNode handler : response.path("handlers")) {
            assertThat(handler.path("failurePolicy").asText()).isEqualTo("Fail");
            assertThat(handler.path("timeoutSeconds").asInt()).isEqualTo(10);
            String hook = handler.path("requestHook").path("hook").asText();
            assertThat(handler.path("requestHook").path("apiVersion").asText())
                    .isEqualTo("hooks.runtime.cluster.x-k8s.io/v1alpha1");
            served.add("/hooks.runtime.cluster.x-k8s.io/v1alpha1/" + hook.toLowerCase(java.util.Locale.ROOT) + "/"
                    + handler.path("name").asText());
        }
        served.add(Hook.DISCOVERY_PATH);
        assertThat(hooks.paths().keySet()).containsExactlyInAnyOrderElementsOf(served);
        assertThat(served)
                .contains(
                        "/hooks.runtime.cluster.x-k8s.io/v1alpha1/canupdatemachineset/can-update-machine-set",
                        "/hooks.runtime.cluster.x-k8s.io/v1alpha1/updatemachine/update-machine");
    }

    @Test
    void requestsWithoutContentType_areAnswered() {
        assertThat(hooks.paths().values()).allMatch(HookHandler::acceptsUntypedBodies);
    }

    static Stream<String> hostile() {
        String head = "{\"apiVersion\":\"hooks.runtime.cluster.x-k8s.io/v1alpha1\",\"kind\":\"KIND\",";
        return Stream.of(
                "",
                "null",
                "[]",
                "7",
                "\"text\"",
                "{",
                "{}",
                "a: b",
                "{\"apiVersion\":null,\"kind\":[]}",
                "{\"apiVersion\":\"v1\",\"kind\":\"KIND\"}",
                head + "\"desired\":null,\"current\":null}",
                head + "\"desired\":7,\"current\":\"x\"}",
                head + "\"desired\":[],\"current\":{}}",
                head + "\"desired\":{\"machine\":[]},\"current\":{\"machineSet\":true}}",
                head
                        + "\"desired\":{\"machine\":{\"metadata\":{\"name\":\"../..\",\"namespace\":\"ns\"},\"spec\":{}}}}",
                head
                        + "\"desired\":{\"machine\":{\"metadata\":{\"name\":{},\"namespace\":0},\"spec\":{\"version\":1}}}}",
                head + "\"fromControlPlaneKubernetesVersion\":1.33,\"toKubernetesVersion\":null}",
                head + "\"fromControlPlaneKubernetesVersion\":\"v1.33.0\",\"toKubernetesVersion\":\"" + "9".repeat(5000)
                        + "\"}",
                "[".repeat(100_000),
                head + "\"desired\":" + "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_001),
                head + "\"desired\":\"" + "a".repeat(2 << 20) + "\"}",
                head + "\"desired\":[" + "0,".repeat(200_000) + "0]}");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void aHostileRequest_isAFailureWithAStableShortMessage(String body) {
        for (Hook hook : Hook.values()) {
            byte[] bytes = body.replace("KIND", hook.title() + "Request").getBytes(StandardCharsets.UTF_8);
            JsonNode response = hooks.call(hook.path(), bytes);
            assertThat(response.path("status").asText()).as(hook.title()).isEqualTo("Failure");
            assertThat(response.path("kind").asText()).isEqualTo(hook.title() + "Response");
            assertThat(response.path("message").asText())
                    .startsWith(hook.title() + " request: ")
                    .hasSizeLessThan(500);
            assertThat(hooks.call(hook.path(), bytes)).isEqualTo(response);
        }
    }

    @Test
    void bytesThatAreNoText_areAFailure() {
        byte[] bytes = new byte[4096];
        Arrays.fill(bytes, (byte) 0xff);
        assertThat(hooks.call(Hook.UPDATE_MACHINE.path(), bytes).path("status").asText())
                .isEqualTo("Failure");
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "namespace", "clusterName"})
    void aMissingField_isNamed(String field) {
        String request = Hooks.request(Hook.UPDATE_MACHINE, """
                "desired":{"machine":{"metadata":{"name":"m","namespace":"ns"},
                  "spec":{"clusterName":"multinode","version":"v1.34.1"}}}""");
        String without = request.replace("\"" + field + "\"", "\"unknown\"");
        assertThat(hooks.call(Hook.UPDATE_MACHINE, without).path("message").asText())
                .matches("UpdateMachine request: desired\\.machine\\.(spec|metadata)\\." + field + " is missing");
    }
}
