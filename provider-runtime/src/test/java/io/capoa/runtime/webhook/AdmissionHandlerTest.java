package io.capoa.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.runtime.webhook.WebhookHandler.MalformedRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionHandlerTest {

    private static final JsonMapper JSON = new JsonMapper();

    /** Refuses version {@code bad}, and entries {@code bad} of one with commas, warns of {@code odd}, forbids to go back to {@code old}, and fails at {@code bug}. */
    private final AdmissionHandler<OpenshiftAssistedConfig> handler =
            new AdmissionHandler<>(OpenshiftAssistedConfig.class, (change, findings) -> {
                String version = String.valueOf(change.object().getSpec().osImageVersion());
                switch (version) {
                    case "bad" -> findings.refuse("spec.osImageVersion", "is bad: write something good");
                    case "odd" -> findings.warn("spec.osImageVersion", "is odd");
                    case "bug" -> throw new IllegalStateException("a bug");
                    default -> {
                        List<String> entries = List.of(version.split(",", -1));
                        IntStream.range(0, entries.size())
                                .filter(i ->
                                        entries.size() > 1 && entries.get(i).equals("bad"))
                                .forEach(i -> findings.refuse("spec.list[" + i + "]", "is bad: remove it"));
                        if (change.before() != null && entries.size() == 1) {
                            findings.refuse("spec.osImageVersion", "cannot change");
                        }
                    }
                }
            });

    private JsonNode ask(String operation, @Nullable String object, @Nullable String before) throws Exception {
        return ask(operation, object, before, false);
    }

    private JsonNode ask(String operation, @Nullable String object, @Nullable String before, boolean dryRun)
            throws Exception {
        String review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
                 "request": {"uid": "u-1", "operation": "%s", "dryRun": %s, "object": %s, "oldObject": %s}}
                """.formatted(operation, dryRun, object, before);
        return answer(review).path("response");
    }

    private JsonNode answer(String review) throws MalformedRequest, IOException {
        return JSON.readTree(handler.answer(review.getBytes(StandardCharsets.UTF_8)));
    }

    private static String config(String version) {
        return config(version, "");
    }

    private static String config(String version, String metadata) {
        return """
                {"apiVersion": "bootstrap.cluster.x-k8s.io/v1beta1", "kind": "OpenshiftAssistedConfig",
                 "metadata": {"name": "c", "namespace": "n", "fieldOfTomorrow": 1 %s},
                 "spec": {"osImageVersion": "%s", "fieldOfTomorrow": {}}, "status": {"conditions": []}}
                """.formatted(metadata, version);
    }

    @Test
    void thePath_isTheOneThatControllerRuntimeWouldChoose() {
        assertThat(AdmissionHandler.path(OpenshiftAssistedConfig.class))
                .isEqualTo("/validate-bootstrap-cluster-x-k8s-io-v1beta1-openshiftassistedconfig");
    }

    @Test
    void whatIsRight_isAllowed_underTheUidOfTheRequest() throws Exception {
        JsonNode answer = ask("CREATE", config("good"), null);

        assertThat(answer.path("uid").asText()).isEqualTo("u-1");
        assertThat(answer.path("allowed").asBoolean()).isTrue();
        assertThat(answer.has("status")).isFalse();
        assertThat(answer.has("warnings")).isFalse();
    }

    @Test
    void whatIsWrong_isRefused_withTheField() throws Exception {
        JsonNode answer = ask("CREATE", config("bad"), null);

        assertThat(answer.path("allowed").asBoolean(true)).isFalse();
        assertThat(answer.at("/status/code").asInt()).isEqualTo(422);
        assertThat(answer.at("/status/reason").asText()).isEqualTo("Invalid");
        assertThat(answer.at("/status/message").asText()).isEqualTo("spec.osImageVersion is bad: write something good");
        assertThat(answer.at("/status/details/causes/0/field").asText()).isEqualTo("spec.osImageVersion");
    }

    @Test
    void whatIsDoubtful_isAllowedWithAWarning() throws Exception {
        JsonNode answer = ask("CREATE", config("odd"), null);

        assertThat(answer.path("allowed").asBoolean()).isTrue();
        assertThat(answer.at("/warnings/0").asText()).isEqualTo("spec.osImageVersion is odd");
    }

    @Test
    void whatWasWrongBefore_mayBeWrittenAgain_withAWarning() throws Exception {
        JsonNode answer = ask("UPDATE", config("bad", ", \"annotations\": {\"a\": \"b\"}"), config("bad"));

        assertThat(answer.path("allowed").asBoolean()).isTrue();
        assertThat(answer.at("/warnings/0").asText()).contains("is bad");
        assertThat(ask("UPDATE", config("bad"), config("good")).path("allowed").asBoolean(true))
                .isFalse();
    }

    @Test
    void anEntryThatWasWrongBefore_mayMoveInItsList_butNotBecomeTwo() throws Exception {
        JsonNode moved = ask("UPDATE", config("new,bad"), config("bad,other"));

        assertThat(moved.path("allowed").asBoolean()).isTrue();
        assertThat(moved.at("/warnings/0").asText()).isEqualTo("spec.list[1] is bad: remove it");
        assertThat(ask("UPDATE", config("bad,bad"), config("bad,other"))
                        .at("/status/message")
                        .asText())
                .isEqualTo("spec.list[1] is bad: remove it");
    }

    @ParameterizedTest
    @CsvSource({
        "CREATE, good,, true",
        "CREATE, odd,, true",
        "CREATE, bad,, false",
        "UPDATE, 'new,bad', 'bad,other', true",
        "UPDATE, bad, good, false",
        "UPDATE, b, a, false"
    })
    void aDryRun_hasTheAnswerOfTheRequest(
            String operation, String version, @Nullable String versionBefore, boolean allowed) throws Exception {
        String before = versionBefore == null ? null : config(versionBefore);

        JsonNode tried = ask(operation, config(version), before, true);

        assertThat(tried.path("allowed").asBoolean()).isEqualTo(allowed);
        assertThat(tried).isEqualTo(ask(operation, config(version), before, false));
    }

    @Test
    void rulesOfChange_areAppliedToUpdates() throws Exception {
        assertThat(ask("UPDATE", config("b"), config("a")).at("/status/message").asText())
                .isEqualTo("spec.osImageVersion cannot change");
    }

    @Test
    void whatChangesNeitherSpecNorAnnotations_isNotJudged() throws Exception {
        JsonNode answer = ask("UPDATE", config("bad", ", \"labels\": {\"a\": \"b\"}"), config("bad"));

        assertThat(answer.path("allowed").asBoolean()).isTrue();
        assertThat(answer.has("warnings")).isFalse();
    }

    /** Old and new are alike then, because both were converted from the form that lacks them. */
    @Test
    void aChangeThroughAnOlderVersion_thatWouldLoseFields_isRefused_untilTheObjectLeaves() throws Exception {
        String incomplete =
                config("good", ", \"annotations\": {\"" + Annotations.CONVERSION_LOSS + "\": \"FieldsTooLarge: x\"}");

        assertThat(askThrough("v1alpha1", incomplete, incomplete)
                        .at("/status/message")
                        .asText())
                .isEqualTo(
                        "metadata.annotations[cluster.x-k8s.io/conversion-data] is too small for the fields that only"
                                + " v1beta1 has, and the change would remove them: make it through v1beta1");
        assertThat(askThrough("v1beta1", incomplete, incomplete).path("allowed").asBoolean())
                .isTrue();
        String leaving = incomplete.replace("\"name\":", "\"deletionTimestamp\": \"2026-11-21T00:00:00Z\", \"name\":");
        assertThat(askThrough("v1alpha1", leaving, incomplete).path("allowed").asBoolean())
                .isTrue();
    }

    @Test
    void whatV1beta1Refuses_isRefusedThroughOlderVersions() throws Exception {
        String path = config("good")
                .replace("\"osImageVersion\"", "\"pullSecretRef\": {\"name\": \"../x\"}, \"osImageVersion\"");

        assertThat(askThrough("v1alpha1", path, null).at("/status/message").asText())
                .startsWith("spec.pullSecretRef.name has a form that it does not take: write what matches ^");
        assertThat(askThrough("v1alpha1", path, null).at("/status/code").asInt())
                .isEqualTo(422);
        assertThat(askThrough("v1alpha1", path.replace("\"../x\"", "7"), null)
                        .at("/status/message")
                        .asText())
                .isEqualTo(
                        "spec.pullSecretRef.name has a value of another type: write a text, in quotes if it looks like a"
                                + " number");
        assertThat(askThrough("v1beta1", path, null).path("allowed").asBoolean())
                .as("the API server has checked it")
                .isTrue();
    }

    @Test
    void anImmutableSpec_cannotBeChangedThroughOlderVersions_butStaysUsable() throws Exception {
        String before = config("good");

        assertThat(askThrough("v1alpha1", config("odd"), before)
                        .at("/status/message")
                        .asText())
                .startsWith("spec of an OpenshiftAssistedConfig cannot be changed: change the template");
        JsonNode kept = askThrough("v1alpha1", config("a,b", ", \"annotations\": {\"a\": \"b\"}"), config("a,b"));
        assertThat(kept.path("allowed").asBoolean()).isTrue();
        assertThat(kept.at("/warnings/0").asText()).startsWith("spec.osImageVersion has a form");
    }

    @Test
    void aStatusThatTheAnnotationAdds_isRefused_oneThatItDropsIsNot() throws Exception {
        String before = config("good").replace("\"conditions\": []", "\"dataSecretName\": \"c\"");
        String annotated = ", \"annotations\": {\"a\": \"b\"}";
        String forged = config("good", annotated).replace("\"conditions\": []", "\"dataSecretName\": \"other\"");
        String dropped = config("good", annotated).replace("\"conditions\": []", "");

        assertThat(askThrough("v1alpha1", forged, before).at("/status/message").asText())
                .startsWith("metadata.annotations[cluster.x-k8s.io/conversion-data] changes the status");
        assertThat(askThrough("v1alpha1", dropped, before).at("/status/message").asText())
                .as("the rule of change of this test")
                .isEqualTo("spec.osImageVersion cannot change");
    }

    /** Stored before types were checked: it can be corrected. */
    @Test
    void anUnreadableObject_canBeCorrected() throws Exception {
        String unreadable = config("good").replace("\"osImageVersion\": \"good\"", "\"osImageVersion\": {}");

        assertThat(ask("UPDATE", config("good"), unreadable).path("allowed").asBoolean())
                .isTrue();
    }

    @Test
    void whereTheRulesFailOnTheOldObject_theNewOneIsJudged() throws Exception {
        JsonNode answer = ask("UPDATE", config("bad"), config("bug"));

        assertThat(answer.path("allowed").asBoolean()).isFalse();
        assertThat(answer.at("/status/details/causes/0/field").asText()).isEqualTo("spec.osImageVersion");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"spec\": [], "})
    void anObjectThatHadNoSpec_andGetsNone_isAllowed_withoutAFailure(String before) throws Exception {
        String spec = "\"spec\": .*?}}, ";

        JsonNode answer = ask(
                "UPDATE",
                config("good").replaceFirst(spec, "\"spec\": null, "),
                config("good").replaceFirst(spec, before));

        assertThat(answer.path("allowed").asBoolean()).isTrue();
        assertThat(answer.path("warnings")).as("of a validation that failed").isEmpty();
    }

    /** Older versions store it. */
    @ParameterizedTest
    @CsvSource({"good, true", "bad, false"})
    void anObjectThatHadNoSpec_isJudgedAsANewOne(String version, boolean allowed) throws Exception {
        String before = config("good").replaceFirst("\"spec\": .*?}}, ", "");

        JsonNode answer = ask("UPDATE", config(version), before);

        assertThat(before).doesNotContain("spec");
        assertThat(answer.path("allowed").asBoolean()).isEqualTo(allowed);
        assertThat(answer.path("warnings")).isEmpty();
    }

    /** An API server has compared it with the schema; other clients have not. The rules count on that. */
    @ParameterizedTest
    @CsvSource({"CREATE, false", "UPDATE, true"})
    void anObjectWithoutARequiredField_isRefused_orToleratedAsItWas_withoutAFailure(String operation, boolean allowed)
            throws Exception {
        var controlPlanes = new AdmissionHandler<>(
                OpenshiftAssistedControlPlane.class,
                (change, findings) -> assertThat(
                                change.object().getSpec().distributionVersion().isEmpty())
                        .isFalse());
        String object = """
                {"apiVersion": "controlplane.cluster.x-k8s.io/v1beta1", "kind": "OpenshiftAssistedControlPlane",
                 "metadata": {"name": "c"}, "spec": {"distributionVersion": null, "replicas": %s}}""";
        JsonNode answer = JSON.readTree(controlPlanes.answer("""
                        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
                         "request": {"uid": "u-1", "operation": "%s", "resource": {"version": "v1beta1"},
                                     "object": %s, "oldObject": %s}}
                        """.formatted(
                                operation,
                                object.formatted("5"),
                                operation.equals("CREATE") ? "null" : object.formatted("3"))
                        .getBytes(StandardCharsets.UTF_8)))
                .path("response");

        assertThat(answer.path("allowed").asBoolean()).as(answer.toString()).isEqualTo(allowed);
        assertThat(answer.path("warnings").toString()).doesNotContain("see its log");
    }

    @ParameterizedTest
    @CsvSource({"v1alpha3, 7, false", "v1alpha3, 5, true", "v1beta1, 7, true"})
    void aScale_hasTheRulesOfV1beta1_throughOlderVersions(String version, int replicas, boolean allowed)
            throws Exception {
        var controlPlanes = new AdmissionHandler<>(OpenshiftAssistedControlPlane.class, (change, findings) -> {});
        String scale =
                "{\"apiVersion\": \"autoscaling/v1\", \"kind\": \"Scale\", \"metadata\": {\"name\": \"c\"}, \"spec\": {\"replicas\": %d}}";
        JsonNode answer = JSON.readTree(
                        controlPlanes.answer("""
                        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
                         "request": {"uid": "u-1", "operation": "UPDATE", "subResource": "scale",
                                     "resource": {"version": "v1beta1"}, "requestResource": {"version": "%s"},
                                     "object": %s, "oldObject": %s}}
                        """.formatted(version, scale.formatted(replicas), scale.formatted(3))
                                .getBytes(StandardCharsets.UTF_8)))
                .path("response");

        assertThat(answer.path("allowed").asBoolean()).isEqualTo(allowed);
        assertThat(answer.at("/status/details/causes/0/field").asText()).isEqualTo(allowed ? "" : "spec.replicas");
    }

    private JsonNode askThrough(String version, String object, @Nullable String before) throws Exception {
        String review = """
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
                 "request": {"uid": "u-1", "operation": "%s", "resource": {"version": "v1beta1"},
                             "requestResource": {"version": "%s"}, "object": %s, "oldObject": %s}}
                """.formatted(before == null ? "CREATE" : "UPDATE", version, object, before);
        return answer(review).path("response");
    }

    @Test
    void whatIsOnItsWayOut_isNotJudged() throws Exception {
        String leaving = config("bad", ", \"deletionTimestamp\": \"2026-11-21T00:00:00Z\"");

        assertThat(ask("UPDATE", leaving, config("good")).path("allowed").asBoolean())
                .isTrue();
        assertThat(ask("DELETE", null, config("bad")).path("allowed").asBoolean())
                .isTrue();
    }

    @Test
    void aFaultOfOurs_stopsNobody() throws Exception {
        JsonNode answer = ask("CREATE", config("bug"), null);

        assertThat(answer.path("allowed").asBoolean()).isTrue();
        assertThat(answer.at("/warnings/0").asText()).contains("was not validated");
    }

    @Test
    void whatTheRulesDoNotExpect_becauseTheSchemaForbidsIt_isRefusedWithTheField() throws Exception {
        JsonNode answer = ask("CREATE", config("bug\", \"cpuArchitecture\": \"a vax"), null);

        assertThat(answer.at("/status/code").asInt()).isEqualTo(422);
        assertThat(answer.at("/status/details/causes/0/field").asText()).isEqualTo("spec.cpuArchitecture");
    }

    @Test
    void whatTheRulesDoNotExpect_andTheSchemaForbadeBefore_isAllowedWithTheField() throws Exception {
        String forbidden = "bug\", \"cpuArchitecture\": \"a vax";

        JsonNode answer = ask("UPDATE", config(forbidden, ", \"annotations\": {\"a\": \"b\"}"), config(forbidden));

        assertThat(answer.path("allowed").asBoolean()).isTrue();
        assertThat(answer.path("warnings")).hasSize(1);
        assertThat(answer.at("/warnings/0").asText()).startsWith("spec.cpuArchitecture");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "\"text\""})
    void anObjectWithoutMetadata_isRefusedWithTheRemedy(String metadata) throws Exception {
        JsonNode answer = ask("CREATE", config("good").replaceFirst("\\{\"name\".*1 ?}", metadata), null);

        assertThat(answer.at("/status/message").asText())
                .isEqualTo("metadata is not an object: send the object as an API server does");
    }

    @Test
    void anotherKind_isRefusedWithTheRemedy() throws Exception {
        JsonNode answer = ask("CREATE", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}", null);

        assertThat(answer.at("/status/code").asInt()).isEqualTo(400);
        assertThat(answer.at("/status/message").asText())
                .contains("OpenshiftAssistedConfig of bootstrap.cluster.x-k8s.io/v1beta1 only")
                .contains("correct the rules of the webhook configuration");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"osImageVersion\": {}|spec.osImageVersion|spec.osImageVersion",
                "\"preBootstrapCommands\": [null]|spec.preBootstrapCommands[0]|spec.preBootstrapCommands",
                "\"nodeLabels\": {\"a\": null}|spec.nodeLabels.a|spec.nodeLabels.a"
            })
    void aValueOfAnotherType_isRefusedWithTheFieldAndTheRemedy_withoutTheValue(
            String json, String field, String explained) throws Exception {
        JsonNode answer = ask("CREATE", config("good").replace("\"osImageVersion\": \"good\"", json), null);

        assertThat(answer.at("/status/code").asInt()).isEqualTo(400);
        assertThat(answer.at("/status/message").asText())
                .isEqualTo(
                        "%s has a value of another type than the field: see kubectl explain openshiftassistedconfigs.%s"
                                .formatted(field, explained));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "text",
                "{}",
                "{\"apiVersion\": \"admission.k8s.io/v1beta1\", \"kind\": \"AdmissionReview\"}",
                "{\"apiVersion\": \"admission.k8s.io/v1\", \"kind\": \"AdmissionReview\"}",
                "{\"apiVersion\": \"admission.k8s.io/v1\", \"kind\": \"AdmissionReview\", \"request\": []}",
                "{\"apiVersion\": \"apiextensions.k8s.io/v1\", \"kind\": \"ConversionReview\"}"
            })
    void whatIsNoReview_isMalformed(String body) {
        assertThatExceptionOfType(MalformedRequest.class).isThrownBy(() -> answer(body));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[%s]", "{\"a\": [[[[%s]]]]}"})
    void aReviewOfMoreValuesThanAnyObject_isTooLarge(String value) {
        String many = value.formatted(String.join(",", Collections.nCopies(100_000, "{}")));
        assertThatExceptionOfType(MalformedRequest.class)
                .isThrownBy(() -> ask("UPDATE", config("good"), many))
                .matches(MalformedRequest::isTooLarge);
    }

    @Test
    void aNumberOfAMillionDigits_isTooLarge() {
        assertThatExceptionOfType(MalformedRequest.class)
                .isThrownBy(() -> ask("UPDATE", config("good"), "1".repeat(1_000_000)))
                .matches(MalformedRequest::isTooLarge);
    }

    @Test
    void aBottomlessBody_isMalformed() {
        assertThatExceptionOfType(MalformedRequest.class).isThrownBy(() -> answer("[".repeat(100_000)));
    }
}
