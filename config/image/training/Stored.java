import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Objects by path, and what has happened to them. A definition is there for whichever kind is asked for. */
final class Stored {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DEFINITIONS = "customresourcedefinitions";

    /** A change, as a watch tells it. */
    record Event(long version, String type, String path, ObjectNode object) {

        String json() {
            return JSON.createObjectNode().put("type", type).set("object", object).toString();
        }
    }

    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final List<Event> events = new ArrayList<>();
    private long version = 1;

    synchronized Optional<ObjectNode> get(Target target) {
        define(target, target.name());
        return Optional.ofNullable(objects.get(target.path(target.name())));
    }

    synchronized ObjectNode list(Target target) {
        define(target, target.named());
        ObjectNode list = JSON.createObjectNode().put("kind", "List").put("apiVersion", target.apiVersion());
        list.putObject("metadata").put("resourceVersion", String.valueOf(version));
        ArrayNode items = list.putArray("items");
        objects.forEach((path, object) -> {
            if (target.selects(path, object)) {
                items.add(object);
            }
        });
        return list;
    }

    synchronized List<Event> since(Target target) {
        return events.stream()
                .filter(event -> event.version() > target.since() && target.selects(event.path(), event.object()))
                .toList();
    }

    /** Writes what the request says, and returns the change. */
    synchronized Event write(Target target, String method, String type, String body) throws IOException {
        JsonNode said = body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body);
        String name = target.name().isEmpty() ? named(said) : target.name();
        String path = target.path(name);
        define(target, name);
        ObjectNode before = objects.get(path);
        if (method.equals("DELETE")) {
            ObjectNode gone = before == null ? JSON.createObjectNode() : before;
            objects.remove(path);
            return happened("DELETED", path, gone);
        }
        if (target.dryRun()) {
            return new Event(version, "", path, (ObjectNode) said);
        }
        ObjectNode after = before == null ? JSON.createObjectNode() : before.deepCopy();
        if (type.contains("json-patch")) {
            after = (ObjectNode) JsonPatch.apply(said, after);
        } else if (target.subresource().equals("status")) {
            merge(after, JSON.createObjectNode().set("status", said.path("status")));
        } else {
            merge(after, (ObjectNode) said);
        }
        ObjectNode metadata = after.withObject("/metadata");
        metadata.put("name", name);
        if (!target.namespace().isEmpty()) {
            metadata.put("namespace", target.namespace());
        }
        if (before == null) {
            metadata.put("uid", UUID.randomUUID().toString());
            metadata.put(
                    "creationTimestamp",
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        boolean changed = before == null || !before.path("spec").equals(after.path("spec"));
        metadata.put("generation", metadata.path("generation").asLong() + (changed ? 1 : 0));
        objects.put(path, after);
        return happened(before == null ? "ADDED" : "MODIFIED", path, after);
    }

    /** Whether there is an object whose path and content match. */
    synchronized boolean has(String part, String content) {
        return objects.entrySet().stream()
                .anyMatch(entry -> entry.getKey().contains(part) && entry.getValue().toString().contains(content));
    }

    /** The text with uids in place of {@code UID-OF-plural/name}. */
    synchronized String resolve(String text) {
        String resolved = text;
        for (Map.Entry<String, ObjectNode> object : objects.entrySet()) {
            String[] path = object.getKey().split("/");
            String reference = "UID-OF-" + path[path.length - 2] + "/" + path[path.length - 1];
            resolved = resolved.replace(
                    reference, object.getValue().at("/metadata/uid").asText());
        }
        return resolved;
    }

    private Event happened(String type, String path, ObjectNode object) {
        object.withObject("/metadata").put("resourceVersion", String.valueOf(++version));
        Event event = new Event(version, type, path, object.deepCopy());
        events.add(event);
        return event;
    }

    private String named(JsonNode said) {
        JsonNode metadata = said.path("metadata");
        return metadata.has("name")
                ? metadata.path("name").asText()
                : metadata.path("generateName").asText() + (version + 1);
    }

    private static void merge(ObjectNode into, JsonNode change) {
        change.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                into.remove(field.getKey());
            } else if (value.isObject()) {
                merge(into.withObject("/" + field.getKey().replace("~", "~0").replace("/", "~1")), value);
            } else {
                into.set(field.getKey(), value);
            }
        });
    }

    /** Installs the definition of that name, if it is about one. */
    private void define(Target target, String name) {
        if (!target.plural().equals(DEFINITIONS) || name.isEmpty() || objects.containsKey(target.path(name))) {
            return;
        }
        ObjectNode definition = Definitions.definition(name);
        objects.put(target.path(name), definition);
        happened("ADDED", target.path(name), definition);
    }
}
