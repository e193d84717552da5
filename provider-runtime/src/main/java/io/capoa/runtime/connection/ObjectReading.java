package io.capoa.runtime.connection;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.RecyclerPool;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.cfg.ContextAttributes;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.capoa.runtime.watch.CachePruning;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.model.jackson.GoCompatibilityModule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * fabric8's serialization, but for single objects that the API server sends: those in the events of watches are read in
 * one pass into the class that is registered for their kind, those in answers into the class that was asked for. Of their
 * managed fields, mostly half of an object, only those are kept by which a later apply is compared. What has another form
 * than the API server gives is left to fabric8.
 */
final class ObjectReading extends KubernetesSerialization {

    private static final String OBJECT = "object";
    private static final String BEGIN = "\"object\":{";
    private static final String END = ",\"metadata\":";
    private static final String MANAGER = "manager";
    private static final String TEXT = "text";

    /**
     * Sets of buffers that are kept for the next object. After a burst the others are garbage: at rest a manager reads
     * one object at a time.
     */
    static final int BUFFERS = 8;

    private final ObjectMapper objects;

    /**
     * Reads for one manager.
     *
     * @param manager the name under which it applies
     */
    ObjectReading(String manager) {
        this(manager, JsonRecyclerPools.newBoundedPool(BUFFERS));
    }

    private ObjectReading(String manager, RecyclerPool<BufferRecycler> buffers) {
        // Without fabric8's search for models: it would load the classes of all kinds for the few that are read.
        super(new ObjectMapper(factory(buffers)).addHandler(new WrongTypes()), false);
        // What a watch ends with.
        registerKubernetesResource("v1", "Status", Status.class);
        this.objects = JsonMapper.builder(factory(buffers))
                .addModule(new GoCompatibilityModule())
                .addModule(new JavaTimeModule())
                .addHandler(new WrongTypes())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .addMixIn(ObjectMeta.class, WithOwnFields.class)
                .defaultAttributes(ContextAttributes.getEmpty().withSharedAttribute(MANAGER, manager))
                .build();
    }

    /** Most reading is done on virtual threads, which live too short to have buffers of their own. */
    private static JsonFactory factory(RecyclerPool<BufferRecycler> buffers) {
        return JsonFactory.builder().recyclerPool(buffers).build();
    }

    /** The kept buffers, which fabric8's own reading shares. */
    RecyclerPool<BufferRecycler> buffers() {
        return objects.getFactory()._getRecyclerPool();
    }

    @Override
    public <T> T unmarshal(String text, Class<T> type) {
        WatchEvent event = type == WatchEvent.class ? read(text) : null;
        return event == null ? super.unmarshal(text, type) : type.cast(event);
    }

    @Override
    public <T> T unmarshal(InputStream json, TypeReference<T> type) {
        if (!(type.getType() instanceof Class<?> kind) || !HasMetadata.class.isAssignableFrom(kind)) {
            return super.unmarshal(json, type);
        }
        String text = text(json);
        try {
            return objects.readerFor(kind).withAttribute(TEXT, text).readValue(text);
        } catch (IOException unusual) {
            return super.unmarshal(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), type);
        }
    }

    private static String text(InputStream json) {
        try (json) {
            return new String(json.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable WatchEvent read(String text) {
        try (JsonParser parser = objects.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT
                    || !"type".equals(parser.nextFieldName())
                    || parser.nextToken() != JsonToken.VALUE_STRING) {
                return null;
            }
            String action = parser.getText();
            Class<? extends KubernetesResource> kind = OBJECT.equals(parser.nextFieldName()) ? kind(text) : null;
            if (kind == null || parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            WatchEvent event = new WatchEvent();
            event.setType(action);
            event.setObject(objects.readerFor(kind).withAttribute(TEXT, text).readValue(parser));
            return parser.nextToken() == JsonToken.END_OBJECT ? event : null;
        } catch (IOException unusual) {
            return null;
        }
    }

    /** Read ahead: the API server writes these two first, in one order or the other. */
    private @Nullable Class<? extends KubernetesResource> kind(String text) {
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END, begin);
        if (begin < 0 || end < 0) {
            return null;
        }
        // "apiVersion":"…","kind":"…"
        String[] parts = text.substring(begin + BEGIN.length(), end).split("\"", -1);
        if (parts.length != 9) {
            return null;
        }
        if (parts[1].equals("apiVersion") && parts[5].equals("kind")) {
            return getRegisteredKubernetesResource(parts[3], parts[7]);
        }
        return parts[1].equals("kind") && parts[5].equals("apiVersion")
                ? getRegisteredKubernetesResource(parts[7], parts[3])
                : null;
    }

    /** Passes over values that their fields cannot hold. */
    private static final class WrongTypes extends DeserializationProblemHandler {

        @Override
        public @Nullable Object handleUnexpectedToken(
                DeserializationContext context,
                JavaType type,
                JsonToken token,
                JsonParser parser,
                @Nullable String failure)
                throws IOException {
            return absent(parser);
        }

        @Override
        public @Nullable Object handleMissingInstantiator(
                DeserializationContext context,
                Class<?> type,
                @Nullable ValueInstantiator instantiator,
                JsonParser parser,
                String failure)
                throws IOException {
            return absent(parser);
        }

        @Override
        public @Nullable Object handleWeirdStringValue(
                DeserializationContext context, Class<?> type, String value, String failure) {
            return null;
        }

        private static @Nullable Object absent(JsonParser parser) throws IOException {
            parser.skipChildren();
            return null;
        }
    }

    /** Metadata whose managed fields are read so. */
    interface WithOwnFields {

        @JsonDeserialize(using = OwnFields.class)
        void setManagedFields(List<ManagedFieldsEntry> entries);
    }

    /** Passes over the entries of others without making anything of them. */
    static final class OwnFields extends JsonDeserializer<List<ManagedFieldsEntry>> {

        @Override
        public List<ManagedFieldsEntry> deserialize(JsonParser parser, DeserializationContext context)
                throws IOException {
            String own = String.valueOf(context.getAttribute(MANAGER));
            String text = String.valueOf(context.getAttribute(TEXT));
            List<ManagedFieldsEntry> kept = new ArrayList<>();
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                int begin = offset(parser) - 1;
                if (isBy(own, parser)) {
                    try (JsonParser entry =
                            parser.getCodec().getFactory().createParser(text.substring(begin, offset(parser)))) {
                        kept.add(parser.getCodec().readValue(entry, ManagedFieldsEntry.class));
                    }
                }
            }
            return kept;
        }

        /** Behind the bracket that has been read. */
        private static int offset(JsonParser parser) {
            return Math.toIntExact(parser.currentLocation().getCharOffset());
        }

        /** Reads to the end of an entry: its manager may come last. */
        private static boolean isBy(String manager, JsonParser parser) throws IOException {
            ManagedFieldsEntry head = new ManagedFieldsEntry();
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                parser.nextToken();
                switch (field) {
                    case MANAGER -> head.setManager(parser.getText());
                    case "operation" -> head.setOperation(parser.getText());
                    case "subresource" -> head.setSubresource(parser.getText());
                    default -> parser.skipChildren();
                }
            }
            return CachePruning.listsApplied(head, manager);
        }
    }
}
