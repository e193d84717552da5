package io.capoa.controlplane.plan;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.rules.ConfigSpecRules;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.schema.SchemaCheck;
import io.capoa.controlplane.admission.ControlPlaneValidator;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import io.capoa.runtime.webhook.Validator.Change;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Control planes and config templates by the rules of their schema and of admission. */
final class PlanObjects {

    private static final String REFUSED = "the management cluster refuses the object";

    private PlanObjects() {}

    static Optional<OpenshiftAssistedControlPlane> controlPlane(
            PlanInput input, Subject subject, List<PlanFinding> found) {
        return checked(
                input,
                subject,
                OpenshiftAssistedControlPlane.class,
                (object, findings) -> new ControlPlaneValidator().validate(new Change<>(object, null), findings),
                found);
    }

    static Optional<OpenshiftAssistedConfigTemplate> configTemplate(
            PlanInput input, Subject subject, List<PlanFinding> found) {
        return checked(input, subject, OpenshiftAssistedConfigTemplate.class, ConfigSpecRules::checkTemplate, found);
    }

    /** Empty if the object cannot be planned with; why is among the findings then. */
    private static <T extends HasMetadata> Optional<T> checked(
            PlanInput input, Subject subject, Class<T> type, BiConsumer<T, Findings> rules, List<PlanFinding> found) {
        ObjectNode written = input.find(subject).orElse(null);
        if (written == null) {
            return Optional.empty();
        }
        String version = written.path("apiVersion").asText().replaceFirst(".*/", "");
        if (!version.equals(HasMetadata.getVersion(type))) {
            found.add(PlanFinding.unknown(
                    PlanCheck.OBJECT_OLDER_VERSION,
                    subject,
                    "apiVersion",
                    "is " + version + ", which is not planned with",
                    "rules are written for " + HasMetadata.getVersion(type),
                    "read the object from a management cluster, or rewrite it as docs/older-versions.md shows"));
            return Optional.empty();
        }
        Findings findings = new Findings();
        SchemaCheck.check(subject.kind(), written, MissingNode.getInstance(), findings);
        // What is stored was admitted by the rules of its time, or with webhooks off, and stays usable.
        boolean stored = input.isOfReconcile();
        Optional<T> object = stored || findings.refused().isEmpty() ? input.find(type, subject) : Optional.empty();
        if (object.isEmpty() && findings.refused().isEmpty()) {
            findings.refuse("metadata", "has a field of another type: write texts, and maps of texts");
        }
        object.ifPresent(readable -> rules.accept(readable, findings));
        findings.refused()
                .forEach(finding -> found.add(PlanFinding.ofSentence(
                        PlanCheck.OBJECT_REFUSED,
                        stored ? Severity.WARNING : Severity.BLOCKING,
                        subject,
                        finding.field(),
                        finding.sentence(),
                        REFUSED)));
        findings.doubtful()
                .forEach(finding -> found.add(PlanFinding.ofSentence(
                        finding.field().endsWith("additionalTrustBundle")
                                ? PlanCheck.CERTIFICATE
                                : PlanCheck.OBJECT_DOUBTFUL,
                        Severity.WARNING,
                        subject,
                        finding.field(),
                        finding.sentence(),
                        "")));
        return object;
    }
}
