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
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.cfg.ContextAttributes;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.capoa.runtime.watch.CachePruning;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
 * than the API server gives is left to fabric8. One object never fails a watch or a list: see {@link PartialReading}.
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
        super(new ObjectMapper(factory(buffers)), false);
        // What a watch ends with.
        registerKubernetesResource("v1", "Status", Status.class);
        this.objects = JsonMapper.builder(factory(buffers))
                .addModule(new GoCompatibilityModule())
                .addModule(new JavaTimeModule())
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
    @SuppressWarnings("unchecked")
    public <T> T unmarshal(InputStream json, TypeReference<T> type) {
        JavaType asked = objects.constructType(type.getType());
        Class<?> kind = asked.getRawClass();
        if (kind == DefaultKubernetesResourceList.class && asked.containedTypeCount() == 1) {
            return list(json, type, asked.containedType(0).getRawClass().asSubclass(HasMetadata.class));
        }
        if (!HasMetadata.class.isAssignableFrom(kind)) {
            return super.unmarshal(json, type);
        }
        String text = text(json);
        try {
            return (T) whole(kind, text);
        } catch (JsonMappingException misfit) {
            return (T) inPart(kind, text, misfit);
        } catch (IOException unusual) {
            return super.unmarshal(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), type);
        }
    }

    /** A page of a list; only when it cannot be read at once each object is read by itself. */
    @SuppressWarnings("unchecked")
    private <T, R extends HasMetadata> T list(InputStream json, TypeReference<T> type, Class<R> kind) {
        InputStream page = json.markSupported() ? json : new ByteArrayInputStream(bytes(json));
        page.mark(Integer.MAX_VALUE);
        try {
            return super.unmarshal(page, type);
        } catch (KubernetesClientException failure) {
            try {
                page.reset();
                ObjectNode tree = (ObjectNode) objects.readTree(page);
                List<R> items = new ArrayList<>();
                for (JsonNode item : tree.withArray("items")) {
                    items.add(PartialReading.read((ObjectNode) item, text -> whole(kind, text)));
                }
                tree.putArray("items");
                T list = super.unmarshal(tree.toString(), type);
                ((DefaultKubernetesResourceList<R>) list).setItems(items);
                return list;
            } catch (IOException | RuntimeException worse) {
                failure.addSuppressed(worse);
                throw failure;
            }
        }
    }

    private <R> R whole(Class<R> kind, String text) throws IOException {
        return objects.readerFor(kind).withAttribute(TEXT, text).readValue(text);
    }

    private <R> R inPart(Class<R> kind, String text, JsonMappingException misfit) {
        try {
            return PartialReading.read((ObjectNode) objects.readTree(text), part -> whole(kind, part));
        } catch (IOException | RuntimeException worse) {
            misfit.addSuppressed(worse);
            throw KubernetesClientException.launderThrowable(misfit);
        }
    }

    private static byte[] bytes(InputStream json) {
        try (json) {
            return json.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(InputStream json) {
        return new String(bytes(json), StandardCharsets.UTF_8);
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
            try {
                KubernetesResource object =
                        objects.readerFor(kind).withAttribute(TEXT, text).readValue(parser);
                return parser.nextToken() == JsonToken.END_OBJECT ? event(action, object) : null;
            } catch (JsonMappingException misfit) {
                return event(
                        action, inPart(kind, objects.readTree(text).get(OBJECT).toString(), misfit));
            }
        } catch (IOException unusual) {
            return null;
        }
    }

    private static WatchEvent event(String action, KubernetesResource object) {
        WatchEvent event = new WatchEvent();
        event.setType(action);
        event.setObject(object);
        return event;
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
