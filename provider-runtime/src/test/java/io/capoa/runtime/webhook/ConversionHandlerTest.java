package io.capoa.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.capoa.api.conversion.ApiConversion;
import io.capoa.runtime.webhook.WebhookHandler.MalformedRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConversionHandlerTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String HUB = "controlplane.cluster.x-k8s.io/v1beta1";

    /** 1,000 objects take a tenth of this on a developer's machine. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final ConversionHandler handler = new ConversionHandler(ApiConversion.controlPlane());

    @Test
    void objectsOfMixedVersions_comeBackInOrderInTheDesiredVersion() throws Exception {
        JsonNode response = ask(HUB, List.of(object("v1alpha2", 0), object("v1beta1", 1), object("v1alpha3", 2)));

        assertThat(response.at("/result/status").asText()).isEqualTo("Success");
        assertThat(response.path("uid").asText()).isEqualTo("u-1");
        assertThat(response.path("convertedObjects")).hasSize(3).allSatisfy(object -> {
            assertThat(object.path("apiVersion").asText()).isEqualTo(HUB);
            assertThat(object.at("/metadata/uid").asText()).isEqualTo("u");
        });
        assertThat(response.path("convertedObjects").findValuesAsText("name"))
                .contains("cp-0", "cp-1", "cp-2")
                .containsSubsequence("cp-0", "cp-1", "cp-2");
        assertThat(response.at("/convertedObjects/0/spec/machineTemplate/spec/infrastructureRef/name")
                        .asText())
                .isEqualTo("m");
    }

    @Test
    void objectsThatNeverWereValid_areConverted() throws Exception {
        String odd = """
                {"apiVersion": "controlplane.cluster.x-k8s.io/v1alpha2", "kind": "OpenshiftAssistedControlPlane",
                 "metadata": {"name": "odd"}, "spec": {"machineTemplate": 7, "replicas": "three"}, "status": [null]}
                """;

        JsonNode response = ask(HUB, List.of(object("v1alpha2", 0), odd));

        assertThat(response.at("/result/status").asText()).isEqualTo("Success");
        assertThat(response.at("/convertedObjects/1/spec/replicas").asText()).isEqualTo("three");
    }

    @Test
    void anObjectOfAnotherKind_failsTheRequestAndIsNamed() throws Exception {
        String other = """
                {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "n"}}
                """;

        JsonNode response = ask(HUB, List.of(object("v1alpha2", 0), other));

        assertThat(response.at("/result/status").asText()).isEqualTo("Failure");
        assertThat(response.at("/result/message").asText()).contains("Widget n/w of example.com/v1", "spec.conversion");
        assertThat(response.path("convertedObjects")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "\"x\"",
                "{",
                "{\"kind\": \"ConversionReview\", \"apiVersion\": \"apiextensions.k8s.io/v1beta1\"}",
                "{\"kind\": \"ConversionReview\", \"apiVersion\": \"apiextensions.k8s.io/v1\", \"request\": 1}",
                "{\"kind\": \"ConversionReview\", \"apiVersion\": \"apiextensions.k8s.io/v1\", \"request\": {}}"
            })
    void whatIsNoReview_isRefused(String body) {
        assertThatExceptionOfType(MalformedRequest.class)
                .isThrownBy(() -> handler.answer(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void damagedBodies_areRefusedOrAnswered() {
        byte[] body = review(HUB, List.of(object("v1alpha2", 0), object("v1alpha3", 1)));
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            byte[] damaged = body.clone();
            for (int i = 0; i < 3; i++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(128);
            }
            try {
                assertThat(handler.answer(damaged)).isNotEmpty();
            } catch (MalformedRequest expected) {
                assertThat(expected).hasMessageMatching(".+");
            }
        }
    }

    @Test
    void aBodyOfManyLevels_isRefused() {
        String deep = "{\"request\":".repeat(50_000);

        assertThatExceptionOfType(MalformedRequest.class)
                .isThrownBy(() -> handler.answer(deep.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void anObjectOfMoreValuesThanAnyObject_isTooLarge_andAListOfAsManyIsNot() throws Exception {
        String finalizers = "\"finalizers\": [" + String.join(",", Collections.nCopies(30_000, "\"a\"")) + "], ";
        String large = object("v1alpha2", 0).replace("\"uid\"", finalizers + "\"uid\"");
        String tooLarge = large.replace(finalizers, finalizers + finalizers + finalizers);

        assertThat(ask(HUB, List.of(large, large, large)).path("convertedObjects"))
                .hasSize(3);
        assertThatExceptionOfType(MalformedRequest.class)
                .isThrownBy(() -> ask(HUB, List.of(tooLarge)))
                .withMessageContaining("more or longer values than any object")
                .matches(MalformedRequest::isTooLarge);
    }

    @Test
    void aThousandObjects_areConvertedInTime() throws Exception {
        List<String> objects = IntStream.range(0, 1_000)
                .mapToObj(i -> object(i % 2 == 0 ? "v1alpha2" : "v1alpha3", i))
                .toList();
        byte[] request = review(HUB, objects);
        byte[] warm = handler.answer(request);

        long begin = System.nanoTime();
        byte[] answer = handler.answer(request);
        Duration taken = Duration.ofNanos(System.nanoTime() - begin);

        System.out.printf("converted 1,000 objects (%d KiB) in %d ms%n", request.length >> 10, taken.toMillis());
        assertThat(answer).isEqualTo(warm);
        assertThat(JSON.readTree(answer).at("/response/convertedObjects")).hasSize(1_000);
        assertThat(taken).isLessThan(LIMIT);
    }

    private JsonNode ask(String desired, List<String> objects) throws MalformedRequest, IOException {
        return JSON.readTree(handler.answer(review(desired, objects))).path("response");
    }

    private static byte[] review(String desired, List<String> objects) {
        return """
                {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
                 "request": {"uid": "u-1", "desiredAPIVersion": "%s", "objects": [%s]}}
                """.formatted(desired, String.join(",", objects)).getBytes(StandardCharsets.UTF_8);
    }

    private static String object(String version, int number) {
        return """
                {"apiVersion": "controlplane.cluster.x-k8s.io/%s", "kind": "OpenshiftAssistedControlPlane",
                 "metadata": {"name": "cp-%d", "namespace": "n", "uid": "u"},
                 "spec": {"distributionVersion": "4.19.0", "replicas": 3, "machineTemplate": {
                   "infrastructureRef": {"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1",
                     "kind": "Metal3MachineTemplate", "name": "m", "namespace": "n"}},
                   "config": {"baseDomain": "example.com", "sshAuthorizedKey": "%s"}},
                 "status": {"replicas": 3, "conditions": [
                   {"type": "Available", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z"},
                   {"type": "Ready", "status": "False", "severity": "Warning",
                    "lastTransitionTime": "2026-01-02T03:04:05Z", "reason": "Why", "message": "because"}]}}
                """.formatted(version, number, "k".repeat(2_000));
    }
}
