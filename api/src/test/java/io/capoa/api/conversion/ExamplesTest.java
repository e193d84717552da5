package io.capoa.api.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.Annotations;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects as the Go provider has them, in v1beta1 and back. */
class ExamplesTest {

    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io/";
    private static final String BOOTSTRAP = "bootstrap.cluster.x-k8s.io/";

    private final ApiConversion bootstrap = ApiConversion.bootstrap();
    private final ApiConversion controlPlane = ApiConversion.controlPlane();

    @Test
    void aControlPlaneOfV1alpha2_keepsItsInfrastructureTimeoutsAndCounters() throws Exception {
        ObjectNode older = tree(OLD_CONTROL_PLANE);

        ObjectNode hub = controlPlane.convert(older, CONTROL_PLANE + "v1beta1");

        assertThat(hub.at("/spec/machineTemplate/spec")).isEqualTo(tree("""
                infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: prod}
                deletion: {nodeDrainTimeoutSeconds: 600}
                """));
        assertThat(hub.at("/status")).isEqualTo(tree("""
                replicas: 3
                upToDateReplicas: 2
                initialization: {controlPlaneInitialized: true}
                conditions:
                  - {type: Available, status: "True", lastTransitionTime: "2026-01-02T03:04:05Z", reason: Unknown, message: ""}
                """));
        assertThat(controlPlane.convert(hub, CONTROL_PLANE + "v1alpha2")).isEqualTo(older);
    }

    @Test
    void aControlPlaneOfV1beta1_showsWhatOlderVersionsKnow() throws Exception {
        ObjectNode older = controlPlane.convert(tree(CONTROL_PLANE_OF_V1BETA1), CONTROL_PLANE + "v1alpha2");

        assertThat(older.at("/spec/machineTemplate")).isEqualTo(tree("""
                infrastructureRef:
                  {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: Metal3MachineTemplate, name: prod}
                nodeDrainTimeout: 1m30s
                """));
        assertThat(older.at("/status/ready").asBoolean()).isTrue();
        assertThat(older.at("/status/unavailableReplicas").asInt()).isEqualTo(1);
        assertThat(older.at("/spec").has("remediation")).isFalse();
        assertThat(annotation(older)).contains("maxRetry");
    }

    @Test
    void whatChangedInTheOlderVersion_wins() throws Exception {
        ObjectNode older = controlPlane.convert(tree(CONTROL_PLANE_OF_V1BETA1), CONTROL_PLANE + "v1alpha2");
        ((ObjectNode) older.path("spec")).put("replicas", 5);
        ((ObjectNode) older.at("/spec/machineTemplate/infrastructureRef")).put("name", "other");
        var unused = ((ObjectNode) older.at("/spec/machineTemplate")).remove("nodeDrainTimeout");

        ObjectNode hub = controlPlane.convert(older, CONTROL_PLANE + "v1beta1");

        assertThat(hub.at("/spec/replicas").asInt()).isEqualTo(5);
        assertThat(hub.at("/spec/machineTemplate/spec/infrastructureRef/name").asText())
                .isEqualTo("other");
        assertThat(hub.at("/spec/machineTemplate/spec").has("deletion")).isFalse();
        assertThat(hub.at("/spec/remediation/maxRetry").asInt()).isEqualTo(2);
        assertThat(hub.at("/status/availableReplicas").asInt()).isEqualTo(2);
        assertThat(hub.at("/metadata").has("annotations")).isFalse();
        assertThat(controlPlane
                        .convert(hub, CONTROL_PLANE + "v1alpha2")
                        .at("/status/unavailableReplicas")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void whenAParentWasRemovedInTheOlderVersion_itsNewFieldsGoWithIt() throws Exception {
        ObjectNode hub = tree(CONTROL_PLANE_OF_V1BETA1);
        ObjectNode older = controlPlane.convert(hub, CONTROL_PLANE + "v1alpha3");
        assertThat(annotation(older)).contains("ntpSources");
        var unused = ((ObjectNode) older.path("spec")).remove("config");

        assertThat(controlPlane
                        .convert(older, CONTROL_PLANE + "v1beta1")
                        .path("spec")
                        .has("config"))
                .isFalse();
    }

    @Test
    void dataOfTheGoProviderInTheAnnotation_isDropped() throws Exception {
        ObjectNode older = tree(CONFIG);
        ((ObjectNode) older.path("metadata"))
                .putObject("annotations")
                .put(Annotations.CONVERSION_DATA, "{\"spec\":{\"osImageVersion\":\"stale\"},\"status\":{}}");

        ObjectNode hub = bootstrap.convert(older, BOOTSTRAP + "v1beta1");

        assertThat(hub.at("/metadata/annotations").has(Annotations.CONVERSION_DATA))
                .isFalse();
        assertThat(hub.path("spec").has("osImageVersion")).isFalse();
    }

    @Test
    void conditionsOfTheGoProvider_becomeConditions() throws Exception {
        ObjectNode hub = bootstrap.convert(tree(CONFIG), BOOTSTRAP + "v1beta1");

        assertThat(hub.at("/status/conditions/0")).isEqualTo(tree("""
                {type: Ready, status: "False", lastTransitionTime: "2026-01-02T03:04:05Z",
                 reason: WaitingForInstallComplete, message: ""}
                """));
        assertThat(hub.path("status").has("v1beta1Conditions")).isFalse();
        assertThat(bootstrap
                        .convert(hub, BOOTSTRAP + "v1alpha1")
                        .at("/status/conditions/0/severity")
                        .asText())
                .isEqualTo("Info");
        assertThat(bootstrap.convert(hub, BOOTSTRAP + "v1alpha2")).isEqualTo(tree(CONFIG));
    }

    @Test
    void betweenTwoOlderVersions_nothingGetsLost() throws Exception {
        ObjectNode v1alpha2 = tree(CONFIG);

        ObjectNode v1alpha1 = bootstrap.convert(v1alpha2, BOOTSTRAP + "v1alpha1");

        assertThat(v1alpha1.path("spec").has("preBootstrapCommands")).isFalse();
        assertThat(bootstrap.convert(v1alpha1, BOOTSTRAP + "v1alpha2")).isEqualTo(v1alpha2);
    }

    @Test
    void whenNewFieldsAreTooLargeForAnAnnotation_theRestIsConverted_andTheObjectSaysSo() throws Exception {
        ObjectNode config = tree(CONFIG);
        var commands = ((ObjectNode) config.path("spec")).putArray("preBootstrapCommands");
        IntStream.range(0, 6).forEach(i -> commands.add("x".repeat(60_000)));

        ObjectNode older = bootstrap.convert(config, BOOTSTRAP + "v1alpha1");

        assertThat(older.at("/spec/cpuArchitecture").asText()).isEqualTo("arm64");
        assertThat(annotation(older)).hasSizeLessThan(200);
        ObjectNode hub = bootstrap.convert(older, BOOTSTRAP + "v1beta1");
        assertThat(hub.at("/spec/cpuArchitecture").asText()).isEqualTo("arm64");
        assertThat(ConversionLoss.of(hub)).hasValueSatisfying(loss -> {
            assertThat(loss.reason()).isEqualTo(ConversionLoss.TOO_LARGE);
            assertThat(loss.message()).contains("v1alpha1", "set them again", Annotations.CONVERSION_LOSS);
        });
    }

    /** Planted in the store of an API server whose storage version is still v1alpha3. */
    @Test
    void anObjectThatClaimsToLackFields_isConvertedAsItIs_andSaysSoInEveryVersion() throws Exception {
        ObjectNode stored = tree(CONTROL_PLANE_OF_V1ALPHA3);
        ((ObjectNode) stored.path("metadata"))
                .putObject("annotations")
                .put(
                        Annotations.CONVERSION_DATA,
                        "{\"apiVersion\":\"controlplane.cluster.x-k8s.io/v1beta1\",\"tooLarge\":true}");

        ObjectNode hub = controlPlane.convert(stored, CONTROL_PLANE + "v1beta1");

        assertThat(hub.at("/spec/machineTemplate/spec/infrastructureRef/name").asText())
                .isEqualTo("t");
        assertThat(ConversionLoss.of(hub)).map(ConversionLoss::reason).hasValue(ConversionLoss.TOO_LARGE);
        assertThat(ConversionLoss.of(controlPlane.convert(hub, CONTROL_PLANE + "v1alpha2")))
                .isEqualTo(ConversionLoss.of(hub));
    }

    /** One that is as deep as a JSON parser reads could not be written into the answer, for no object of a list. */
    @Test
    void aBottomlessRemainder_isDropped() throws Exception {
        ObjectNode stored = tree(CONTROL_PLANE_OF_V1ALPHA3);
        String deep = "[".repeat(990) + "]".repeat(990);
        ((ObjectNode) stored.path("metadata"))
                .putObject("annotations")
                .put(
                        Annotations.CONVERSION_DATA,
                        "{\"apiVersion\":\"controlplane.cluster.x-k8s.io/v1beta1\",\"fields\":[{\"at\":[\"spec\",\"rollout\"],\"is\":%s}]}"
                                .formatted(deep));

        ObjectNode hub = controlPlane.convert(stored, CONTROL_PLANE + "v1beta1");

        assertThat(hub.path("spec").has("rollout")).isFalse();
        assertThat(controlPlane.convert(hub, CONTROL_PLANE + "v1alpha3").path("spec"))
                .isEqualTo(stored.path("spec"));
    }

    @Test
    void aKindOfTheOtherProvider_isNotConverted() {
        assertThatExceptionOfType(UnconvertibleException.class)
                .isThrownBy(() -> bootstrap.convert(tree(OLD_CONTROL_PLANE), CONTROL_PLANE + "v1beta1"))
                .withMessageContaining("OpenshiftAssistedControlPlane");
    }

    @ParameterizedTest
    @CsvSource({"0, 0s", "10, 10s", "90, 1m30s", "3600, 1h0m0s", "3661, 1h1m1s"})
    void secondsAreWrittenAsGoDoes(int seconds, String duration) {
        var conversion = new DurationSeconds();
        var number = IntNode.valueOf(seconds);

        assertThat(Objects.requireNonNull(conversion.toOlder(number)).asText()).isEqualTo(duration);
        assertThat(conversion.toHub(TextNode.valueOf(duration))).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"1.5h, 5400", "500ms, 0", "1m0.9s, 60", "0, 0", "-1s, ", "10, ", "999999999999h, ", "soon, "})
    void durationsAreReadAsGoDoes(String duration, Integer seconds) {
        var converted = new DurationSeconds().toHub(TextNode.valueOf(duration));

        assertThat(converted == null ? null : converted.asInt()).isEqualTo(seconds);
    }

    private static String annotation(ObjectNode object) {
        return object.at("/metadata/annotations")
                .path(Annotations.CONVERSION_DATA)
                .asText();
    }

    private static ObjectNode tree(String yaml) throws Exception {
        return (ObjectNode) new YAMLMapper().readTree(yaml);
    }

    private static final String OLD_CONTROL_PLANE = """
            apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedControlPlane
            metadata: {name: prod, namespace: prod}
            spec:
              distributionVersion: 4.19.0
              replicas: 3
              machineTemplate:
                infrastructureRef:
                  apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
                  kind: Metal3MachineTemplate
                  name: prod
                  namespace: prod
                nodeDrainTimeout: 10m0s
              config: {baseDomain: example.com, apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]}
            status:
              ready: true
              initialized: true
              replicas: 3
              updatedReplicas: 2
              unavailableReplicas: 0
              clusterDeploymentRef: {name: prod, namespace: prod}
              conditions:
                - {type: Available, status: "True", lastTransitionTime: "2026-01-02T03:04:05Z"}
            """;

    private static final String CONTROL_PLANE_OF_V1ALPHA3 = """
            apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
            kind: OpenshiftAssistedControlPlane
            metadata: {name: planted, namespace: tenant}
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
                infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: t}
                deletion: {nodeDeletionTimeoutSeconds: 10}
            """;

    private static final String CONTROL_PLANE_OF_V1BETA1 = """
            apiVersion: controlplane.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedControlPlane
            metadata: {name: prod, namespace: prod}
            spec:
              distributionVersion: 4.20.0
              replicas: 3
              machineTemplate:
                spec:
                  infrastructureRef:
                    {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: prod}
                  deletion: {nodeDrainTimeoutSeconds: 90}
              config: {baseDomain: example.com, ntpSources: [192.0.2.9]}
              remediation: {maxRetry: 2}
            status:
              availableReplicas: 2
              conditions:
                - {type: Available, status: "True", lastTransitionTime: "2026-01-02T03:04:05Z", reason: Available, message: ""}
            """;

    private static final String CONFIG = """
            apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2
            kind: OpenshiftAssistedConfig
            metadata: {name: prod-0, namespace: prod}
            spec:
              cpuArchitecture: arm64
              preBootstrapCommands: [/usr/bin/true]
              nodeRegistration: {name: $METADATA_NAME, providerID: $METADATA_UUID}
            status:
              initialization: {dataSecretCreated: false}
              v1beta1Conditions:
                - type: Ready
                  status: "False"
                  severity: Info
                  lastTransitionTime: "2026-01-02T03:04:05Z"
                  reason: WaitingForInstallComplete
            """;
}
