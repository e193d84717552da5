package io.capoa.api.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.conversion.Violations.Violation;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.Findings.Finding;
import io.capoa.api.rules.schema.HubSchemas;
import io.capoa.api.rules.schema.SchemaCheck;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What breaks a constraint of v1beta1 is refused, or ignored and reported, in whatever version it is sent. */
class SchemaRulesTest {

    static Stream<OlderVersion> versions() {
        return RoundTripTest.versions();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OpenshiftAssistedConfig",
                "OpenshiftAssistedConfigTemplate",
                "OpenshiftAssistedControlPlane",
                "OpenshiftAssistedControlPlaneTemplate"
            })
    void everyConstraintIsChecked_andNamesItsField(String kind) throws Exception {
        assertThat(examples(kind))
                .allSatisfy(example -> assertThat(findings(kind, example)).isEmpty());
        List<Violation> violations = Violations.of(examples(kind), HubSchemas.of(kind));
        List<String> missed = violations.stream()
                .filter(violation -> findings(kind, violation.object()).stream()
                        .noneMatch(finding -> finding.field().equals(violation.field())
                                && finding.sentence().matches("(?s)takes .*|.*: .*")))
                .map(violation -> violation + ": " + findings(kind, violation.object()))
                .toList();

        assertThat(violations).hasSizeGreaterThan(100);
        assertThat(missed).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void throughEveryOlderVersion_itIsRefused_orIgnoredAndReported(OlderVersion version) throws Exception {
        String kind = version.kind();
        SchemaFit olderSpec = SchemaFit.of(OlderSchemas.load()
                .schema(kind, version.apiVersion().replaceFirst(".*/", ""))
                .path("properties")
                .path("spec"));
        List<String> accepted = new ArrayList<>();
        for (Violation violation : Violations.of(examples(kind), HubSchemas.of(kind))) {
            ObjectNode older = version.fromHub(violation.object());
            if (older.has("spec")) {
                older.set("spec", olderSpec.fitted(older.path("spec")));
            }

            ObjectNode hub = version.toHub(older);

            boolean refused = findings(kind, hub).stream()
                    .anyMatch(finding -> finding.field().equals(violation.field()));
            boolean ignored = ConversionLoss.of(hub).isPresent()
                    && !hub.at(violation.pointer()).equals(violation.object().at(violation.pointer()));
            if (!refused && !ignored) {
                accepted.add(violation + ": " + findings(kind, hub));
            }
        }
        assertThat(accepted).isEmpty();
    }

    private static List<Finding> findings(String kind, JsonNode object) {
        Findings findings = new Findings();
        SchemaCheck.check(kind, object, MissingNode.getInstance(), findings);
        return findings.refused();
    }

    /** Together they have all fields: no platform has all. */
    private static List<ObjectNode> examples(String kind) throws IOException {
        String file = "/io/capoa/api/" + kind.toLowerCase(Locale.ROOT) + ".yaml";
        try (InputStream in = Objects.requireNonNull(SchemaRulesTest.class.getResourceAsStream(file), file)) {
            ObjectNode full = (ObjectNode) new YAMLMapper().readTree(in);
            if (!kind.startsWith("OpenshiftAssistedControlPlane")) {
                return List.of(full);
            }
            return List.of(with(full.deepCopy(), """
                            {apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2], platform: {type: BareMetal},
                             loadBalancer: {type: UserManaged}}"""), with(full.deepCopy(), """
                            {apiVIPs: [], ingressVIPs: [], loadBalancer: {type: UserManaged}, platform: null}"""), with(full, """
                            {apiVIPs: [], ingressVIPs: [], loadBalancer: {},
                             platform: {type: External, platformName: oci, cloudControllerManager: External}}"""));
        }
    }

    private static ObjectNode with(ObjectNode example, String config) throws IOException {
        ObjectNode spec = (ObjectNode)
                (example.at("/spec/template/spec").isObject()
                        ? example.at("/spec/template/spec")
                        : example.path("spec"));
        ObjectNode target = (ObjectNode) spec.path("config");
        ObjectNode networking = (ObjectNode) target.path("networking");
        new YAMLMapper().readTree(config).properties().forEach(field -> target.set(field.getKey(), field.getValue()));
        if (target.path("platform").isNull()) {
            var unused = target.remove("platform");
        }
        networking.put(
                "userManagedNetworking",
                !target.path("platform").path("type").asText().equals("BareMetal"));
        if (spec.has("replicas")) {
            spec.put("replicas", 3);
        }
        return example;
    }
}
