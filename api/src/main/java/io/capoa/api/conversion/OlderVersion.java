package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.Annotations;
import io.capoa.api.conversion.ConversionData.Carried;
import io.capoa.api.rules.schema.HubSchemas;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Converts objects of one kind between one older version and v1beta1, without loss in either direction.
 *
 * <p>The mappings need not be reversible: whatever does not come back from a conversion there and back is carried in an
 * annotation, {@value Annotations#CONVERSION_DATA} on objects of the older version and {@code
 * <version>.conversion.openshiftassisted.cluster.x-k8s.io/data} on those of v1beta1. The latter exists only for values
 * that v1beta1 has no field for.
 */
public final class OlderVersion {

    private static final String API_VERSION = "apiVersion";
    private static final String KIND = "kind";
    private static final String METADATA = "metadata";

    private static final Set<String> FRAME = Set.of(API_VERSION, KIND, METADATA);

    private static final SharingCopy ANNOTATED = SharingCopy.above(List.of(FieldPath.of("annotations.any")));

    private final String kind;
    private final String apiVersion;
    private final String hubVersion;
    private final List<FieldMapping> mappings;
    private final Set<List<String>> derived;
    private final SharingCopy copy;
    private final SchemaFit schema;
    private final JsonNode hubSchema;
    private final ConversionData ofHub;
    private final ConversionData ofOlder;

    OlderVersion(OlderSchemas schemas, String group, String version, String kind, List<FieldMapping> mappings) {
        this.kind = kind;
        this.apiVersion = group + "/" + version;
        this.hubVersion = group + "/" + ApiConversion.HUB;
        this.mappings = List.copyOf(mappings);
        this.derived = mappings.stream()
                .filter(FieldMapping.Derived.class::isInstance)
                .map(mapping -> FieldPath.of(mapping.older()).names())
                .collect(Collectors.toUnmodifiableSet());
        this.copy = SharingCopy.above(mappings.stream()
                .flatMap(mapping -> Stream.of(mapping.older(), mapping.hub()))
                .filter(field -> !field.isEmpty())
                .map(FieldPath::of)
                .toList());
        this.schema = SchemaFit.of(schemas.schema(kind, version));
        this.hubSchema = HubSchemas.of(kind);
        this.ofHub = new ConversionData(Annotations.CONVERSION_DATA, hubVersion);
        this.ofOlder = new ConversionData(Annotations.olderVersionData(version), apiVersion);
    }

    public String kind() {
        return kind;
    }

    /** Group and version. */
    public String apiVersion() {
        return apiVersion;
    }

    /** The fields that v1beta1 does not have in the same place and form, in the order of the specification. */
    public List<FieldMapping> mappings() {
        return mappings;
    }

    /**
     * Converts to v1beta1. Fields that were changed in the older version win over what its annotation carries. What it
     * cannot carry is missing, what it must not carry is ignored, and a {@link ConversionLoss} says so. The result shares
     * what is the same in both.
     */
    ObjectNode toHub(ObjectNode older) {
        JsonNode metadata = metadata(older);
        Carried carried = ofHub.takeFrom(metadata);
        if (carried.tooLarge()) {
            ConversionLoss.tooLarge(apiVersion).putOn(metadata);
        }
        ObjectNode body = body(older);
        ObjectNode hub = mappedToHub(body);
        Restored restored = Restored.of(carried.remainder(), hub, body, hubSchema, this::mappedToOlder, derived);
        if (!restored.ignored().isEmpty()) {
            ConversionLoss.ignored(apiVersion, restored.ignored()).putOn(metadata);
        }
        Remainder lost = Remainder.between(restored.returned(), body);
        ofOlder.putOn(metadata, carried.present() ? lost.only(entry -> !derived.contains(entry.at())) : lost);
        return object(older, hubVersion, metadata, restored.object());
    }

    /** Converts from v1beta1; the result shares what is the same in both. */
    ObjectNode fromHub(ObjectNode hub) {
        JsonNode metadata = metadata(hub);
        Carried carried = ofOlder.takeFrom(metadata);
        ObjectNode body = body(hub);
        ObjectNode older = mappedToOlder(body);
        Remainder kept =
                carried.remainder().only(entry -> !FRAME.contains(entry.at().getFirst()));
        if (!kept.isEmpty()) {
            older = older.deepCopy();
            kept.applyTo(older);
        }
        ofHub.putOn(metadata, Remainder.between(mappedToHub(older), body));
        return object(hub, apiVersion, metadata, older);
    }

    private ObjectNode mappedToHub(ObjectNode older) {
        ObjectNode hub = copy.of(older);
        mappings.forEach(mapping -> mapping.toHub(older, hub));
        return hub;
    }

    private ObjectNode mappedToOlder(ObjectNode hub) {
        ObjectNode older = copy.of(hub);
        mappings.forEach(mapping -> mapping.toOlder(hub, older));
        return (ObjectNode) schema.fitted(older);
    }

    /** A copy, of which the conversion may change the annotations. */
    private static JsonNode metadata(ObjectNode object) {
        return object.path(METADATA) instanceof ObjectNode metadata ? ANNOTATED.of(metadata) : object.path(METADATA);
    }

    private static ObjectNode body(ObjectNode object) {
        ObjectNode body = object.objectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            if (!FRAME.contains(field.getKey())) {
                body.set(field.getKey(), field.getValue());
            }
        }
        return body;
    }

    private static ObjectNode object(ObjectNode source, String apiVersion, JsonNode metadata, ObjectNode body) {
        ObjectNode object = body.objectNode();
        object.put(API_VERSION, apiVersion);
        object.set(KIND, source.path(KIND));
        if (!metadata.isMissingNode()) {
            object.set(METADATA, metadata);
        }
        return object.setAll(body);
    }

    @Override
    public String toString() {
        return kind + " of " + apiVersion;
    }

    /** Copies the objects above some fields, so that these can be set and removed; the copy shares everything else. */
    private static final class SharingCopy {

        private final Map<String, SharingCopy> inner = new HashMap<>();

        /** For fields of the root and these. */
        static SharingCopy above(List<FieldPath> fields) {
            SharingCopy root = new SharingCopy();
            for (FieldPath field : fields) {
                SharingCopy at = root;
                for (String name : field.names().subList(0, field.names().size() - 1)) {
                    at = at.inner.computeIfAbsent(name, unused -> new SharingCopy());
                }
            }
            return root;
        }

        ObjectNode of(ObjectNode object) {
            ObjectNode copy = object.objectNode().setAll(object);
            inner.forEach((name, below) -> {
                if (object.get(name) instanceof ObjectNode present) {
                    copy.set(name, below.of(present));
                }
            });
            return copy;
        }
    }
}
