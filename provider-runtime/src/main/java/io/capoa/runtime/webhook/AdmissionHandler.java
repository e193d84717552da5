package io.capoa.runtime.webhook;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.capoa.api.Annotations;
import io.capoa.api.conversion.ConversionLoss;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.Findings.Finding;
import io.capoa.api.rules.schema.SchemaCheck;
import io.capoa.runtime.webhook.Validator.Change;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponseBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReview;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionReviewBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Validating admission of one kind ({@code admission.k8s.io/v1}).
 *
 * <p>Stored objects never lock their owner out: it admits objects that are being deleted and updates that change
 * neither spec nor annotations, and refuses other updates only for findings that the old object did not have.
 *
 * <p>Requests of older versions arrive converted. The API server has compared them with the schema of their version, so
 * that of v1beta1 is applied here.
 */
public final class AdmissionHandler<R extends HasMetadata> implements WebhookHandler {

    private static final Logger LOG = LoggerFactory.getLogger(AdmissionHandler.class);

    private static final String VERSION = "admission.k8s.io/v1";
    private static final String KIND = "AdmissionReview";

    /** Names and values of a review, with the object before and after. */
    private static final int MOST_VALUES = 150_000;

    private static final String CARRIED = "metadata.annotations[" + Annotations.CONVERSION_DATA + "]";

    private static final Finding INCOMPLETE = new Finding(
            CARRIED,
            "is too small for the fields that only v1beta1 has, and the change would remove them: make it through v1beta1");

    /** An API server sends no null as an element: schemas refuse it, and the rules do not expect it. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .build();

    private final Class<R> type;
    private final Validator<R> validator;

    public AdmissionHandler(Class<R> type, Validator<R> validator) {
        this.type = type;
        this.validator = validator;
    }

    /** Where webhook configurations expect the validation of a kind: the path that controller-runtime would choose. */
    public static String path(Class<? extends HasMetadata> type) {
        return "/validate-" + HasMetadata.getGroup(type).replace('.', '-') + "-" + HasMetadata.getVersion(type) + "-"
                + HasMetadata.getKind(type).toLowerCase(Locale.ROOT);
    }

    @Override
    public byte[] answer(byte[] body) throws MalformedRequest {
        JsonNode request = request(body);
        AdmissionReview review = new AdmissionReviewBuilder()
                .withResponse(
                        judge(request).withUid(request.path("uid").asText()).build())
                .build();
        try {
            return JSON.writeValueAsBytes(review);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a review can be written", e);
        }
    }

    /** As a tree: the object may not be readable as its kind, and is compared with the old one as it was sent. */
    private static JsonNode request(byte[] body) throws MalformedRequest {
        JsonNode review = ReviewParser.read(body, MOST_VALUES, JSON::<JsonNode>readTree);
        if (review == null
                || !review.path("kind").asText().equals(KIND)
                || !review.path("apiVersion").asText().equals(VERSION)) {
            throw new MalformedRequest("this path takes an " + KIND + " of " + VERSION
                    + ": set admissionReviewVersions to [v1] in the webhook configuration");
        }
        JsonNode request = review.path("request");
        if (request.path("uid").asText().isEmpty()) {
            throw new MalformedRequest("the " + KIND + " has no request.uid");
        }
        return request;
    }

    private AdmissionResponseBuilder judge(JsonNode request) {
        JsonNode object = request.path("object");
        JsonNode before = request.path("oldObject");
        if (request.path("subResource").asText().equals("scale")) {
            return scale(request, object.path("spec"), before.path("spec"));
        }
        boolean judged = (request.path("operation").asText().equals("CREATE")
                        || request.path("operation").asText().equals("UPDATE"))
                && request.path("subResource").asText().isEmpty();
        if (!judged || isLeaving(object)) {
            return AdmissionResponses.allowed();
        }
        if (isOfOlderVersion(request) && isIncomplete(object)) {
            return AdmissionResponses.invalid(List.of(INCOMPLETE), List.of());
        }
        if (before.isObject() && saysTheSame(object, before)) {
            return AdmissionResponses.allowed();
        }
        if (!isOurKind(object)) {
            return AdmissionResponses.badRequest(
                    "this path validates " + name() + " only: correct the rules of the webhook configuration");
        }
        if (!object.path("metadata").isObject()) {
            return AdmissionResponses.badRequest("metadata is not an object: send the object as an API server does");
        }
        Ratchet ratchet = new Ratchet(object, before);
        Findings known = new Findings();
        try {
            if (isOfOlderVersion(request)) {
                List<Finding> added = added(object, before, ratchet, known);
                if (!added.isEmpty()) {
                    return AdmissionResponses.invalid(added, List.of());
                }
            }
            if (isNothing(object.path("spec"))
                    && before.isObject()
                    && !before.path("spec").isObject()) {
                // Older versions store such objects, and there is nothing that the rules could judge.
                return AdmissionResponses.allowed(known.doubtful());
            }
            return judge(JSON.treeToValue(object, type), readable(before), ratchet, known.doubtful());
        } catch (JsonMappingException e) {
            return AdmissionResponses.badRequest(unreadable(e));
        } catch (JsonProcessingException | RuntimeException e) {
            // The rules rely on the schema, with which an API server has compared the object.
            List<Finding> added = added(object, before, ratchet, known);
            if (!added.isEmpty()) {
                return AdmissionResponses.invalid(added, List.of());
            }
            if (!known.doubtful().isEmpty()) {
                // It has violated the schema before, and the warnings name the fields.
                LOG.debug("A {} that violates its schema could not be validated", name(), e);
                return AdmissionResponses.allowed(known.doubtful());
            }
            // Fail open: the reconciler validates again.
            LOG.error(
                    "{} {} could not be validated and was let through",
                    name(),
                    request.path("name").asText(),
                    e);
            return AdmissionResponses.allowed()
                    .withWarnings("the object was not validated: the provider's validation failed; see its log");
        }
    }

    /**
     * What the API server would have refused in v1beta1: it compares what is sent with the schema of that version only.
     *
     * @param known receives as warnings what the object had before
     */
    private List<Finding> added(JsonNode object, JsonNode before, Ratchet ratchet, Findings known) {
        String kind = HasMetadata.getKind(type);
        Findings now = new Findings();
        SchemaCheck.check(kind, object, before, now);
        if (before.isObject() && !isWithin(object.path("status"), before.path("status"))) {
            now.refuse(
                    CARRIED,
                    "changes the status, which only the providers write: leave the annotation as it was read, or remove it");
        }
        if (!before.isObject() || now.refused().isEmpty()) {
            return now.refused();
        }
        Findings then = new Findings();
        SchemaCheck.check(kind, before, MissingNode.getInstance(), then);
        List<Finding> added = ratchet.addedValues(now.refused(), then.refused());
        Set<Finding> isNew = new HashSet<>(added);
        now.refused().stream()
                .filter(finding -> !isNew.contains(finding))
                .forEach(finding -> known.warn(finding.field(), finding.sentence()));
        return added;
    }

    /** Whether a part of a status holds nothing that another one does not: a client may drop the annotation. */
    private static boolean isWithin(JsonNode part, JsonNode whole) {
        if (part.isMissingNode() || part.equals(whole)) {
            return true;
        }
        if (part.isArray() && part.size() == whole.size()) {
            return IntStream.range(0, part.size()).allMatch(i -> isWithin(part.path(i), whole.path(i)));
        }
        return part.isObject()
                && part.properties().stream().allMatch(field -> isWithin(field.getValue(), whole.path(field.getKey())));
    }

    private static boolean isNothing(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    /** {@code null} for what was stored before its type or its spec was checked: it must not keep its owner from correcting it. */
    private @Nullable R readable(JsonNode before) {
        try {
            return before.path("spec").isObject() && isOurKind(before) ? JSON.treeToValue(before, type) : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private AdmissionResponseBuilder judge(R object, @Nullable R before, Ratchet ratchet, List<Finding> known) {
        Findings now = new Findings();
        validator.validate(new Change<>(object, before), now);
        List<Finding> refused = now.refused();
        List<Finding> warned = new ArrayList<>(known);
        warned.addAll(now.doubtful());
        if (before != null && !refused.isEmpty()) {
            List<Finding> added = ratchet.added(refused, known(before));
            Set<Finding> isNew = new HashSet<>(added);
            refused.stream().filter(finding -> !isNew.contains(finding)).forEach(warned::add);
            refused = added;
        }
        return refused.isEmpty() ? AdmissionResponses.allowed(warned) : AdmissionResponses.invalid(refused, warned);
    }

    /** What was wrong before, as far as the rules can judge an object that may lack what the schema requires. */
    private List<Finding> known(R before) {
        Findings then = new Findings();
        try {
            validator.validate(new Change<>(before, null), then);
        } catch (RuntimeException e) {
            LOG.debug("A stored {} could not be validated", name(), e);
        }
        return then.refused();
    }

    private static boolean isLeaving(JsonNode object) {
        return !object.path("metadata").path("deletionTimestamp").asText().isEmpty();
    }

    /** Whether the API server has converted what was sent, or would have if it were no Scale. */
    private static boolean isOfOlderVersion(JsonNode request) {
        String version = request.path("resource").path("version").asText();
        return !request.path("requestResource").path("version").asText(version).equals(version);
    }

    /** A Scale is the same in all versions; the object itself is not sent. */
    private AdmissionResponseBuilder scale(JsonNode request, JsonNode spec, JsonNode before) {
        Findings findings = new Findings();
        if (isOfOlderVersion(request) && !spec.equals(before)) {
            SchemaCheck.checkField(HasMetadata.getKind(type), "replicas", spec.path("replicas"), findings);
        }
        return findings.refused().isEmpty()
                ? AdmissionResponses.allowed()
                : AdmissionResponses.invalid(findings.refused(), List.of());
    }

    /** Such a change would store the object without its fields, whatever it changes. */
    private static boolean isIncomplete(JsonNode object) {
        return ConversionLoss.of(object)
                .filter(loss -> loss.reason().equals(ConversionLoss.TOO_LARGE))
                .isPresent();
    }

    private static boolean saysTheSame(JsonNode object, JsonNode before) {
        return object.path("spec").equals(before.path("spec"))
                && object.path("metadata")
                        .path("annotations")
                        .equals(before.path("metadata").path("annotations"));
    }

    private boolean isOurKind(JsonNode object) {
        return object.path("kind").asText().equals(HasMetadata.getKind(type))
                && object.path("apiVersion").asText().equals(HasMetadata.getApiVersion(type));
    }

    private String name() {
        return HasMetadata.getKind(type) + " of " + HasMetadata.getApiVersion(type);
    }

    /** Where the value is; the value itself may be a secret. */
    private String unreadable(JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        e.getPath()
                .forEach(step -> path.append(
                        step.getFieldName() == null
                                ? "[" + step.getIndex() + "]"
                                : (path.isEmpty() ? "" : ".") + step.getFieldName()));
        return "%s has a value of another type than the field: see kubectl explain %s.%s"
                .formatted(path, HasMetadata.getPlural(type), path.toString().replaceAll("\\[-?\\d+]", ""));
    }
}
