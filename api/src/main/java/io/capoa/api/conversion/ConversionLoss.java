package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.Annotations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an object in v1beta1 lacks because its older form could not carry it: an annotation while it is converted and
 * stored, a condition once it is reconciled.
 *
 * @param reason {@link #TOO_LARGE} or {@link #IGNORED}
 * @param message a sentence with the remedy; users can write it too
 */
public record ConversionLoss(String reason, String message) {

    /** Type of the condition. */
    public static final String CONDITION = "ConversionIncomplete";

    /** Fields that only v1beta1 has did not fit into the annotation of the older form. */
    public static final String TOO_LARGE = "FieldsTooLarge";

    /** The annotation of the older form held what must not be in it. */
    public static final String IGNORED = "FieldsIgnored";

    private static final int LONGEST = 1024;

    /** Fields that the sentence lists. */
    private static final int MOST = 5;

    private static final String AFTERWARDS = ", then remove annotation " + Annotations.CONVERSION_LOSS;

    static ConversionLoss tooLarge(String older) {
        return new ConversionLoss(
                TOO_LARGE,
                "fields that only v1beta1 has are missing, because they were too large for the annotation in which %s carries them: set them again through v1beta1%s"
                        .formatted(older, AFTERWARDS));
    }

    static ConversionLoss ignored(String older, List<String> fields) {
        return new ConversionLoss(
                IGNORED,
                "annotation %s of the form in %s had values that v1beta1 does not take or that %s has fields for, and they were ignored: %s. Set them through v1beta1 if they are wanted%s"
                        .formatted(
                                Annotations.CONVERSION_DATA,
                                older,
                                older,
                                fields.stream().limit(MOST).collect(Collectors.joining(", ")),
                                AFTERWARDS));
    }

    /** What the annotations of an object say; nothing if it is complete. */
    public static Optional<ConversionLoss> of(@Nullable Map<String, String> annotations) {
        return Optional.ofNullable(annotations == null ? null : annotations.get(Annotations.CONVERSION_LOSS))
                .map(ConversionLoss::parsed);
    }

    /** What the annotations of an object say; nothing if it is complete. */
    public static Optional<ConversionLoss> of(JsonNode object) {
        return Optional.ofNullable(object.path("metadata")
                        .path("annotations")
                        .path(Annotations.CONVERSION_LOSS)
                        .textValue())
                .map(ConversionLoss::parsed);
    }

    private static ConversionLoss parsed(String text) {
        String limited = text.substring(0, Math.min(text.length(), LONGEST));
        String tooLarge = TOO_LARGE + ": ";
        return limited.startsWith(tooLarge)
                ? new ConversionLoss(TOO_LARGE, limited.substring(tooLarge.length()))
                : new ConversionLoss(IGNORED, limited.replaceFirst("^" + IGNORED + ": ", ""));
    }

    /** Annotates the object. */
    void putOn(JsonNode metadata) {
        if (metadata instanceof ObjectNode object) {
            object.withObjectProperty("annotations").put(Annotations.CONVERSION_LOSS, reason + ": " + message);
        }
    }
}
