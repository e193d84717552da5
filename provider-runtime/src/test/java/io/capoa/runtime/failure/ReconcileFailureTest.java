package io.capoa.runtime.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.FailureReasons;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people read of an exception: the request, the answer and the remedy. */
class ReconcileFailureTest {

    private static final String AGENT =
            "https://10.0.0.1:443/apis/agent-install.openshift.io/v1beta1/namespaces/demo/agents/host-1";

    @Test
    void aMissingRight_isNamedWithVerbResourceNamespaceAndRemedy() {
        ReconcileFailure failure = ReconcileFailure.of(refused(
                "DELETE",
                AGENT,
                403,
                "Forbidden",
                "agents.agent-install.openshift.io \"host-1\" is forbidden: User \"system:serviceaccount:capoa:manager\""
                        + " cannot delete resource \"agents\" in API group \"agent-install.openshift.io\" in the namespace"
                        + " \"demo\""));

        assertThat(failure.reason()).isEqualTo(FailureReasons.FORBIDDEN);
        assertThat(failure.transientFailure()).isFalse();
        assertThat(failure.message())
                .startsWith("agents.agent-install.openshift.io \"host-1\" is forbidden")
                .contains(
                        "grant verb delete on resource agents of API group \"agent-install.openshift.io\" in namespace"
                                + " demo to system:serviceaccount:capoa:manager");
    }

    @Test
    void whatAdmissionForbids_isNoMissingRight() {
        ReconcileFailure failure = ReconcileFailure.of(
                refused("PATCH", AGENT, 403, "Forbidden", "admission webhook \"w\" denied the request: no"));

        assertThat(failure.reason()).isEqualTo(FailureReasons.REQUEST_REFUSED);
        assertThat(failure.message())
                .isEqualTo("The API server refused patch of agents.agent-install.openshift.io demo/host-1: admission"
                        + " webhook \"w\" denied the request: no; correct the cause, it is retried");
    }

    @Test
    void aConversionThatFails_isNoFaultOfTheRequest() {
        ReconcileFailure failure = ReconcileFailure.of(refused(
                "GET",
                AGENT,
                500,
                "InternalError",
                "conversion webhook for bootstrap.cluster.x-k8s.io/v1alpha2, Kind=OpenshiftAssistedConfig failed: Post"
                        + " \"https://w.svc:443/convert\": connection refused"));

        assertThat(failure.reason()).isEqualTo(FailureReasons.REQUEST_UNANSWERED);
        assertThat(failure.transientFailure()).isTrue();
        assertThat(failure.message())
                .startsWith("The API server could not convert objects for get of agents.agent-install.openshift.io"
                        + " demo/host-1: conversion webhook for")
                .contains("Remedy: see that a manager runs behind the webhook's Service");
    }

    @Test
    void aVersionThatIsNotServed_isNamed() {
        ReconcileFailure failure = ReconcileFailure.of(
                refused("GET", AGENT, 404, "NotFound", "the server could not find the requested resource"));

        assertThat(failure.reason()).isEqualTo(FailureReasons.KIND_NOT_INSTALLED);
        assertThat(failure.message()).contains("agents.agent-install.openshift.io as version v1beta1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 429, 500, 503, 504})
    void whatMostlyPasses_isTransient(int code) {
        ReconcileFailure failure =
                ReconcileFailure.of(refused("PATCH", AGENT, code, "InternalError", "failed calling webhook \"w\""));

        assertThat(failure.transientFailure()).isTrue();
        assertThat(failure.reason()).isEqualTo(FailureReasons.REQUEST_UNANSWERED);
        assertThat(failure.message()).contains("patch of agents", "demo/host-1", "failed calling webhook \"w\"");
    }

    @Test
    void aConflict_isNothingToShow_andANameThatIsTakenIs() {
        assertThat(ReconcileFailure.of(refused("PATCH", AGENT, 409, "Conflict", "modified"), "bootstrap"))
                .isEmpty();
        assertThat(ReconcileFailure.of(refused("POST", AGENT, 409, "AlreadyExists", "exists"), "bootstrap"))
                .isPresent();
    }

    @Test
    void theRequestsFailure_isFoundUnderOtherExceptions() {
        KubernetesClientException cause = refused("PATCH", AGENT, 422, "Invalid", "spec.x: Invalid value");
        assertThat(ReconcileFailure.of(new CompletionException(new IllegalStateException(cause)), "bootstrap"))
                .hasValueSatisfying(failure -> assertThat(failure.message()).contains("spec.x: Invalid value"));
    }

    @Test
    void anotherException_isAnInternalError_whoseMessageIsNotShown() {
        assertThat(ReconcileFailure.of(new IllegalStateException("password=secret"), "control plane"))
                .hasValueSatisfying(failure -> {
                    assertThat(failure.reason()).isEqualTo(FailureReasons.INTERNAL_ERROR);
                    assertThat(failure.message())
                            .contains("IllegalStateException", "log of the control plane provider")
                            .doesNotContain("secret");
                });
    }

    @Test
    void tokensAndLongAnswersAreCut() {
        String message = ReconcileFailure.of(refused(
                        "PATCH", AGENT, 422, "Invalid", "url http://x/y?api_key=SECRET&z " + "long ".repeat(2000)))
                .message();
        assertThat(message).contains("api_key=…").doesNotContain("SECRET").hasSizeLessThan(1500);
    }

    private static KubernetesClientException refused(
            String method, String url, int code, String reason, String message) {
        Status status = new StatusBuilder()
                .withCode(code)
                .withReason(reason)
                .withMessage(message)
                .build();
        return new KubernetesClientException(
                "Failure executing: " + method + " at: " + url + ". Message: " + message,
                null,
                code,
                status,
                new Request(method, URI.create(url)));
    }

    private record Request(String method, URI uri) implements HttpRequest {

        @Override
        public UUID id() {
            return new UUID(0, 0);
        }

        @Override
        public String bodyString() {
            return "";
        }

        @Override
        public List<String> headers(String key) {
            return List.of();
        }

        @Override
        public Map<String, List<String>> headers() {
            return Map.of();
        }
    }
}
