package io.capoa.api.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.Annotations;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users write the annotation that a conversion carries: it sets nothing that they could not set through v1beta1. */
class ForgedRemainderTest {

    private static final String GROUP = "controlplane.cluster.x-k8s.io/";

    private final ApiConversion conversion = ApiConversion.controlPlane();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /spec/version                       | 7                                  | spec.version
            /spec/version                       | '"not a version"'                  | spec.version
            /spec/rollout                       | '{"strategy": {"type": "Nope"}}'   | spec.rollout
            /spec/rollout                       | 1                                  | spec.rollout
            /spec/arbiter                       | '{"replicas": 7}'                  | spec.arbiter
            /spec/arbiter                       | '{"replicas": 1, "unknown": null}' |
            /spec/remediation                   | '{"maxRetry": 2}'                  |
            /spec/config/machineCIDR            | '"x"'                              | spec.config.machineCIDR
            /spec/replicas                      | 5                                  | spec.replicas
            /spec/replicas                      |                                    | spec.replicas
            /spec/config/apiVIPs                | '["192.0.2.7"]'                    | spec.config.apiVIPs
            /spec/machineTemplate/spec/infrastructureRef/name | '"mine"'             | spec.machineTemplate.spec.infrastructureRef.name
            /spec/openshiftAssistedConfigSpec/cpuArchitecture | '"arm64"'            | spec.openshiftAssistedConfigSpec.cpuArchitecture
            /status/lastRemediation             | '{"machine": "m", "retryCount": 1, "time": "2026-01-02T03:04:05Z"}' | status.lastRemediation
            /metadata/labels                    | '{"a": "b"}'                       | metadata.labels
            /apiVersion                         | '"v1"'                             | apiVersion
            """)
    void onlyWhatFits_andTheOlderVersionCannotSay_isApplied(String at, String value, String ignored) throws Exception {
        for (String version : new String[] {"v1alpha2", "v1alpha3"}) {
            ObjectNode older = older(version);
            ObjectNode honest = conversion.convert(older, GROUP + "v1beta1");
            forge(older, entry(at, honest.at(at), value));

            ObjectNode hub = conversion.convert(older, GROUP + "v1beta1");

            if (ignored == null) {
                assertThat(hub.at(at)).isEqualTo(new JsonMapper().readTree(value));
                assertThat(ConversionLoss.of(hub)).isEmpty();
            } else {
                assertThat(hub.at(at)).isEqualTo(honest.at(at));
                assertThat(ConversionLoss.of(hub)).hasValueSatisfying(loss -> {
                    assertThat(loss.reason()).isEqualTo(ConversionLoss.IGNORED);
                    assertThat(loss.message()).contains("ignored: " + ignored + ".", Annotations.CONVERSION_LOSS);
                });
            }
            assertThat(hub.path("metadata").path("name").asText()).isEqualTo("forged");
            assertThat(hub.path("metadata").path("annotations").has(Annotations.CONVERSION_DATA))
                    .isFalse();
        }
    }

    @Test
    void whatIsForged_doesNotTakeTheRestWithIt() throws Exception {
        ObjectNode older = older("v1alpha3");
        ObjectNode honest = conversion.convert(older, GROUP + "v1beta1");
        forge(
                older,
                entry("/spec/replicas", honest.at("/spec/replicas"), "5")
                        + ","
                        + entry("/spec/version", honest.at("/spec/version"), "7")
                        + ","
                        + entry("/spec/remediation", honest.at("/spec/remediation"), "{\"maxRetry\": 2}"));

        ObjectNode hub = conversion.convert(older, GROUP + "v1beta1");

        assertThat(hub.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(hub.path("spec").has("version")).isFalse();
        assertThat(hub.at("/spec/remediation/maxRetry").asInt()).isEqualTo(2);
        assertThat(ConversionLoss.of(hub).orElseThrow().message()).contains("spec.replicas, spec.version");
    }

    @Test
    void thousandsOfEntriesAndPatternsThatTakeLong_areJudgedAtOnce() throws Exception {
        ObjectNode older = older("v1alpha3");
        ObjectNode honest = conversion.convert(older, GROUP + "v1beta1");
        JsonNode hosts = honest.at("/spec/openshiftAssistedConfigSpec/kernelArguments");
        String slow = "[{\"operation\": \"append\", \"value\": \"" + "a".repeat(4000) + " \"}]";
        forge(
                older,
                IntStream.range(0, 2000)
                        .mapToObj(i -> i == 1000
                                ? entry("/spec/openshiftAssistedConfigSpec/kernelArguments", hosts, slow)
                                : entry("/spec/replicas", honest.at("/spec/replicas"), String.valueOf(i)))
                        .collect(Collectors.joining(",")));

        ObjectNode hub =
                assertTimeoutPreemptively(Duration.ofSeconds(5), () -> conversion.convert(older, GROUP + "v1beta1"));

        assertThat(hub.path("spec")).isEqualTo(honest.path("spec"));
        assertThat(ConversionLoss.of(hub)).isPresent();
    }

    private static void forge(ObjectNode older, String entries) {
        ((ObjectNode) older.path("metadata"))
                .putObject("annotations")
                .put(
                        Annotations.CONVERSION_DATA,
                        "{\"apiVersion\": \"%sv1beta1\", \"fields\": [%s]}".formatted(GROUP, entries));
    }

    /** With the digest of what the other version has, as everybody can compute it. */
    private static String entry(String at, JsonNode present, String value) {
        JsonNode other = new JsonMapper().createObjectNode().textNode("other");
        String was = Remainder.between(
                        new YAMLMapper().createObjectNode().set("a", present),
                        new YAMLMapper().createObjectNode().set("a", other))
                .toJson()
                .path(0)
                .path("was")
                .asText();
        return "{\"at\": [\"%s\"]%s%s}"
                .formatted(
                        at.substring(1).replace("/", "\",\""),
                        present.isMissingNode() || !at.startsWith("/spec") ? "" : ", \"was\": \"" + was + "\"",
                        value == null ? "" : ", \"is\": " + value);
    }

    private static ObjectNode older(String version) throws Exception {
        String reference = version.equals("v1alpha2")
                ? "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1"
                : "apiGroup: infrastructure.cluster.x-k8s.io";
        return (ObjectNode) new YAMLMapper().readTree("""
                apiVersion: controlplane.cluster.x-k8s.io/%s
                kind: OpenshiftAssistedControlPlane
                metadata: {name: forged, namespace: tenant}
                spec:
                  distributionVersion: 4.20.0
                  replicas: 3
                  config:
                    baseDomain: lab.example
                    apiVIPs: [192.0.2.40]
                    ingressVIPs: [192.0.2.41]
                    pullSecretRef: {name: pull-secret}
                  openshiftAssistedConfigSpec: {nodeRegistration: {name: $METADATA_NAME}, cpuArchitecture: x86_64}
                  machineTemplate:
                    infrastructureRef: {%s, kind: Metal3MachineTemplate, name: t}
                """.formatted(version, reference));
    }
}
