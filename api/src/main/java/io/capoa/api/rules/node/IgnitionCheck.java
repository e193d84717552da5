package io.capoa.api.rules.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.rules.node.IgnitionSchema.ListOf;
import io.capoa.api.rules.node.IgnitionSchema.ObjectOf;
import io.capoa.api.rules.node.IgnitionSchema.Scalar;
import io.capoa.api.rules.node.IgnitionSchema.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds what Ignition would reject on the host, minutes after the host has booted: wrong types, relative or repeated
 * paths, units without a name, sources that are no URL. Values are not quoted, but for paths and names: they can be secret.
 */
public final class IgnitionCheck {

    private static final Pattern UNIT =
            Pattern.compile(".+\\.(service|socket|device|mount|automount|swap|target|path|timer|slice|scope)");
    private static final Pattern SOURCE = Pattern.compile("data:[^,]*,.*|(https?|tftp|s3|gs|arn):.+", Pattern.DOTALL);
    private static final Set<Integer> FORGOTTEN_OCTAL = Set.of(400, 440, 444, 600, 640, 644, 700, 750, 755, 775, 777);

    private final List<String> mistakes = new ArrayList<>();
    private final List<String> doubts = new ArrayList<>();

    private IgnitionCheck() {}

    /** Checks a configuration. */
    public static IgnitionCheck of(IgnitionJson ignition) {
        IgnitionCheck check = new IgnitionCheck();
        check.types("", ignition.root(), IgnitionSchema.CONFIG);
        if (check.mistakes.isEmpty()) {
            check.contents(ignition.root());
        }
        return check;
    }

    /** What Ignition rejects: field, mistake and remedy. */
    public List<String> mistakes() {
        return List.copyOf(mistakes);
    }

    /** What is accepted, and probably not meant. */
    public List<String> doubts() {
        return List.copyOf(doubts);
    }

    private void types(String path, JsonNode value, Shape type) {
        if (value.isNull()) {
            return;
        }
        boolean fits = switch (type) {
            case Scalar scalar ->
                switch (scalar) {
                    case STRING -> value.isTextual();
                    case BOOLEAN -> value.isBoolean();
                    case INTEGER -> value.isIntegralNumber();
                };
            case ListOf ignored -> value.isArray();
            case ObjectOf ignored -> value.isObject();
        };
        if (!fits) {
            mistakes.add("%s is not %s".formatted(path, type.words()));
        } else if (type instanceof ListOf list) {
            for (int i = 0; i < value.size(); i++) {
                types(path + "[" + i + "]", value.get(i), list.entry());
            }
        } else if (type instanceof ObjectOf object) {
            fields(path, value, object);
        }
    }

    private void fields(String path, JsonNode value, ObjectOf object) {
        value.properties().forEach(field -> {
            String inner = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            Shape type = object.fields().get(field.getKey());
            if (type == null) {
                doubts.add(inner + " is not a field of Ignition 3 and has no effect: remove it, or correct its name");
            } else {
                types(inner, field.getValue(), type);
            }
        });
    }

    private void contents(JsonNode root) {
        Set<String> paths = new HashSet<>();
        Stream.of("files", "directories", "links")
                .forEach(kind -> entries(root.path("storage"), "storage", kind).forEach(entry -> node(entry, paths)));
        entries(root.path("storage"), "storage", "filesystems")
                .filter(entry -> entry.value().hasNonNull("path"))
                .forEach(entry -> absolute(entry.in("path")));
        Set<String> units = new HashSet<>();
        entries(root.path("systemd"), "systemd", "units").forEach(entry -> unit(entry, units));
        Stream.of("users", "groups")
                .flatMap(kind -> entries(root.path("passwd"), "passwd", kind))
                .filter(entry -> entry.text("name").isEmpty())
                .forEach(entry -> mistakes.add(entry.path() + " has no name: give it one"));
        sources("", root);
    }

    private void node(Element entry, Set<String> paths) {
        if (!absolute(entry.in("path"))) {
            return;
        }
        String path = entry.text("path");
        if (!paths.add(path)) {
            mistakes.add(
                    "%s.path is \"%s\", as that of another entry: each path stands once in files, directories and links"
                            .formatted(entry.path(), path));
        }
        int mode = entry.value().path("mode").asInt();
        if (FORGOTTEN_OCTAL.contains(mode)) {
            doubts.add("%s.mode is %d, which is decimal and means %o: write %d for mode %d"
                    .formatted(entry.path(), mode, mode, Integer.parseInt(String.valueOf(mode), 8), mode));
        }
    }

    private boolean absolute(Element field) {
        String path = field.value().asText("");
        if (path.startsWith("/")) {
            return true;
        }
        mistakes.add(
                path.isEmpty()
                        ? field.path() + " is empty: write an absolute path, such as /etc/motd"
                        : "%s is \"%s\", which is relative: write an absolute path, such as /etc/motd"
                                .formatted(field.path(), path));
        return false;
    }

    private void unit(Element entry, Set<String> units) {
        String name = entry.text("name");
        if (!UNIT.matcher(name).matches()) {
            mistakes.add("%s.name is \"%s\", which is no name of a unit: end it with the unit's type, such as .service"
                    .formatted(entry.path(), name));
        } else if (!units.add(name)) {
            mistakes.add("%s.name is \"%s\", as that of another unit: merge the two".formatted(entry.path(), name));
        }
    }

    /** Wherever a resource can be: in files, in merged configurations, as certificate authorities. */
    private void sources(String path, JsonNode value) {
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                sources(path + "[" + i + "]", value.get(i));
            }
            return;
        }
        value.properties().forEach(field -> {
            String inner = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            String text = field.getValue().asText("");
            if (field.getKey().equals("source")
                    && !text.isEmpty()
                    && !SOURCE.matcher(text).matches()) {
                mistakes.add(inner + " is no URL that Ignition reads: write data:,TEXT, data:;base64,… or https://…");
            } else if (field.getKey().equals("source") && text.startsWith("data:")) {
                DataUrl.problem(text).ifPresent(problem -> mistakes.add(inner + " " + problem));
            }
            sources(inner, field.getValue());
        });
    }

    private record Element(String path, JsonNode value) {

        Element in(String field) {
            return new Element(path + "." + field, value.path(field));
        }

        String text(String field) {
            return value.path(field).asText("");
        }
    }

    private static Stream<Element> entries(JsonNode section, String name, String list) {
        List<Element> entries = new ArrayList<>();
        JsonNode values = section.path(list);
        for (int i = 0; i < values.size(); i++) {
            entries.add(new Element("%s.%s[%d]".formatted(name, list, i), values.get(i)));
        }
        return entries.stream();
    }
}
