package io.capoa.lab.endurance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Unexpected changes of JSON, from a seed: parts that are missing, twice, of another type or another object's,
 * extreme numbers, long and strange texts, deep trees. The sample itself stays.
 */
public final class Mutations {

    private static final int MOST = 4;
    private static final int DEEPEST = 600;
    /** Below what is refused for its depth alone. */
    private static final int USUALLY = 30;

    private static final int LONGEST = 5_000;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Reads back whatever has been mutated. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build());

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "null",
            "true",
            "-1",
            "1e400",
            "../../etc/passwd",
            "$(id)",
            "a\u0000b",
            "\r\n\r\nGET /",
            "\u202eabc",
            "\ud83d\ude00",
            "\ud800",
            "\u00df\u0130\u0131",
            "%s%n%x",
            "${HOME}",
            "4.20.3-",
            "99999999999999999999.0.0",
            "v1alpha1",
            "2026-13-40T25:61:61Z",
            "::1",
            "300.1.1.1/99",
            "Always",
            "Recreate",
            "https://[::1",
            "{\"ignition\":{\"version\":\"3.1.0\"",
            "sha256:" + "0".repeat(64),
            "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n");

    private static final List<JsonNode> NUMBERS = List.of(
            NODES.numberNode(0),
            NODES.numberNode(-1),
            NODES.numberNode(7),
            NODES.numberNode(Integer.MAX_VALUE),
            NODES.numberNode(Long.MIN_VALUE),
            NODES.numberNode(BigInteger.TEN.pow(400)),
            NODES.numberNode(0.5),
            NODES.numberNode(new BigDecimal("1e999")));

    /** A part of a tree. */
    private record Place(JsonNode parent, String key, int index) {

        JsonNode value() {
            return parent instanceof ObjectNode ? parent.path(key) : parent.path(index);
        }

        void set(JsonNode value) {
            if (parent instanceof ObjectNode object) {
                object.set(key, value);
            } else {
                ((ArrayNode) parent).set(index, value);
            }
        }

        void remove() {
            if (parent instanceof ObjectNode object) {
                object.remove(key);
            } else {
                ((ArrayNode) parent).remove(index);
            }
        }
    }

    private final Random random;
    private final List<JsonNode> others;

    /**
     * Mutations of a seed.
     *
     * @param others trees whose parts are put into other places
     */
    public Mutations(long seed, List<? extends JsonNode> others) {
        this.random = new Random(seed);
        this.others = List.copyOf(others);
    }

    /** A copy with one to four changes. */
    public JsonNode mutate(JsonNode sample) {
        JsonNode copy = sample.deepCopy();
        for (int left = 1 + random.nextInt(MOST); left > 0; left--) {
            List<Place> places = places(copy).toList();
            if (!places.isEmpty()) {
                change(places.get(random.nextInt(places.size())));
            }
        }
        return copy;
    }

    /** As text, seldom cut off or followed by more. */
    public String text(JsonNode tree) {
        String text = tree.toString();
        return switch (random.nextInt(50)) {
            case 0 -> text.substring(0, random.nextInt(text.length() + 1));
            case 1 -> text + text;
            case 2 -> text.replaceFirst("\\{", "{\"kind\":\"Twice\",\"kind\":\"Twice\",");
            default -> text;
        };
    }

    /** Any of these. */
    public <T> T any(List<T> choice) {
        return choice.get(random.nextInt(choice.size()));
    }

    /** Any number from 0, below this one; 0 if there is none. */
    public int below(int bound) {
        return bound <= 0 ? 0 : random.nextInt(bound);
    }

    private void change(Place place) {
        JsonNode value = place.value();
        switch (random.nextInt(10)) {
            case 0 -> place.remove();
            case 1 -> place.set(NODES.nullNode());
            case 2 -> place.set(otherType(value));
            case 3 -> place.set(any(NUMBERS));
            case 4 -> place.set(NODES.textNode(any(TEXTS)));
            case 5 -> place.set(NODES.textNode(any(TEXTS).concat("x").repeat(1 + random.nextInt(LONGEST))));
            case 6 ->
                place.set(deep(1 + (random.nextInt(20) == 0 ? random.nextInt(DEEPEST) : random.nextInt(USUALLY))));
            case 7 -> twice(place);
            case 8 -> {
                List<Place> foreign = places(any(others)).toList();
                place.set(any(foreign).value().deepCopy());
            }
            default -> {
                if (value.isTextual()) {
                    place.set(NODES.textNode(bent(value.asText())));
                } else {
                    place.set(any(NUMBERS));
                }
            }
        }
    }

    private static JsonNode otherType(JsonNode value) {
        if (value.isObject()) {
            return NODES.arrayNode().add(value);
        }
        if (value.isArray()) {
            return value.isEmpty() ? NODES.objectNode() : value.get(0);
        }
        return value.isTextual()
                ? NODES.objectNode().put(value.asText(), value.asText())
                : NODES.textNode(value.asText());
    }

    private void twice(Place place) {
        if (place.parent() instanceof ArrayNode array) {
            array.add(place.value().deepCopy());
        } else {
            ((ObjectNode) place.parent())
                    .set(
                            place.key() + any(List.of("s", "X", "_")),
                            place.value().deepCopy());
        }
    }

    private JsonNode deep(int levels) {
        JsonNode deep = NODES.numberNode(1);
        for (int i = 0; i < levels; i++) {
            deep = random.nextBoolean()
                    ? NODES.arrayNode().add(deep)
                    : NODES.objectNode().set("a", deep);
        }
        return deep;
    }

    /** With a character that is missing, doubled, or of another case. */
    public String bent(String text) {
        if (text.isEmpty()) {
            return any(TEXTS);
        }
        int at = random.nextInt(text.length());
        String rest = text.substring(at + 1);
        return switch (random.nextInt(3)) {
            case 0 -> text.substring(0, at) + rest;
            case 1 -> text.substring(0, at + 1) + text.substring(at);
            default -> text.substring(0, at) + Character.toUpperCase(text.charAt(at)) + rest;
        };
    }

    private static Stream<Place> places(JsonNode tree) {
        List<Place> places = new ArrayList<>();
        List<JsonNode> open = new ArrayList<>(List.of(tree));
        while (!open.isEmpty()) {
            JsonNode node = open.removeLast();
            node.properties().forEach(field -> places.add(new Place(node, field.getKey(), 0)));
            for (int i = 0; node.isArray() && i < node.size(); i++) {
                places.add(new Place(node, "", i));
            }
            node.forEach(open::add);
        }
        return places.stream();
    }

    /** Reads a sample. */
    public static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
