package io.capoa.runtime.webhook;

import io.capoa.api.rules.Findings.Finding;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponseBuilder;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/** Responses to admission requests, in the form of the API server's own. */
final class AdmissionResponses {

    private static final int UNPROCESSABLE = 422;

    /** Number of findings in a response; the rest is counted. */
    private static final int MOST = 10;

    private AdmissionResponses() {}

    static AdmissionResponseBuilder allowed() {
        return new AdmissionResponseBuilder().withAllowed(true);
    }

    static AdmissionResponseBuilder allowed(List<Finding> warnings) {
        return allowed().withWarnings(words(warnings));
    }

    static AdmissionResponseBuilder badRequest(String message) {
        return refused(new StatusBuilder()
                .withCode(HttpURLConnection.HTTP_BAD_REQUEST)
                .withReason("BadRequest")
                .withMessage(message));
    }

    static AdmissionResponseBuilder invalid(List<Finding> refused, List<Finding> warnings) {
        return refused(new StatusBuilder()
                        .withCode(UNPROCESSABLE)
                        .withReason("Invalid")
                        .withMessage(String.join("; ", words(refused)))
                        .withNewDetails()
                        .withCauses(refused.stream()
                                .limit(MOST)
                                .map(finding ->
                                        new StatusCause(finding.field(), finding.sentence(), "FieldValueInvalid"))
                                .toList())
                        .endDetails())
                .withWarnings(words(warnings));
    }

    private static AdmissionResponseBuilder refused(StatusBuilder status) {
        return new AdmissionResponseBuilder().withAllowed(false).withStatus(status.build());
    }

    private static List<String> words(List<Finding> findings) {
        List<String> words = new ArrayList<>(
                findings.stream().limit(MOST).map(Finding::toString).toList());
        if (findings.size() > MOST) {
            words.add("and %d more".formatted(findings.size() - MOST));
        }
        return words;
    }
}
