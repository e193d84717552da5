package io.capoa.runtime.connection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A watch event as JSON, the same for the same seed: mostly in the API server's order of fields, sometimes in another one.
 * Kinds with a class have no unknown fields beside metadata: fabric8 rejects them, and ObjectReading ignores them.
 */
final class GeneratedEvent {

    private static final List<String> TYPES = List.of("ADDED", "MODIFIED", "DELETED", "BOOKMARK");
    private static final List<String> KINDS = List.of(
            "agent-install.openshift.io/v1beta1|Agent",
            "cluster.x-k8s.io/v1beta2|Machine",
            "bootstrap.cluster.x-k8s.io/v1beta1|OpenshiftAssistedConfig",
            "v1|Secret",
            "v1|ConfigMap",
            "example.com/v1|Unheard");
    private static final List<String> KEYS = List.of(
            "name", "object", "metadata", "kind", "apiVersion", "manager", "type", "items", "a b", "ü", "x\\\"y");
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "ours",
            "\\\"object\\\":{",
            ",\\\"metadata\\\":",
            "\\n\\t\\u0001",
            "grüß 😀",
            "\\ud83d\\ude00",
            "}{][");

    private final Random random;

    GeneratedEvent(long seed) {
        this.random = new Random(seed);
    }

    String json() {
        List<String> parts = new ArrayList<>(List.of(
                "\"type\":\"" + pick(TYPES) + "\"",
                "\"object\":" + object(pick(KINDS).split("\\|", -1))));
        if (rarely()) {
            Collections.shuffle(parts, random);
        }
        String text = "{" + String.join(rarely() ? " , " : ",", parts) + "}";
        return rarely() ? text + "\n" : text;
    }

    private String object(String[] kind) {
        List<String> head =
                new ArrayList<>(List.of("\"apiVersion\":\"" + kind[0] + "\"", "\"kind\":\"" + kind[1] + "\""));
        if (random.nextBoolean()) {
            Collections.reverse(head);
        }
        List<String> fields = new ArrayList<>(head);
        fields.add("\"metadata\":" + metadata());
        fields.addAll(content(kind[1]));
        if (rarely()) {
            Collections.shuffle(fields, random);
        }
        return "{" + String.join(",", fields) + "}";
    }

    private List<String> content(String kind) {
        List<String> fields = new ArrayList<>();
        switch (kind) {
            case "Secret" -> fields.add("\"data\":{\"a\":\"Yg==\"},\"type\":\"Opaque\"");
            case "ConfigMap" -> fields.add("\"data\":" + strings());
            case "OpenshiftAssistedConfig" -> {
                fields.add("\"spec\":{\"cpuArchitecture\":" + text() + ",\"nodeLabels\":" + strings() + ",\"unknown\":"
                        + value(2) + "}");
                fields.add("\"status\":{\"observedGeneration\":" + random.nextInt(100) + "}");
            }
            default -> {
                fields.add("\"spec\":" + map(4));
                fields.add("\"status\":" + map(4));
                maybe(fields, "\"extra\":" + value(2));
            }
        }
        return fields;
    }

    private String metadata() {
        List<String> fields = new ArrayList<>(List.of("\"name\":\"m" + random.nextInt(1000) + "\""));
        maybe(fields, "\"namespace\":\"ns\"");
        maybe(fields, "\"uid\":\"u\"");
        maybe(fields, "\"resourceVersion\":\"" + random.nextInt() + "\"");
        maybe(fields, "\"generation\":" + random.nextInt(1 << 20));
        maybe(fields, "\"creationTimestamp\":" + (rarely() ? "null" : "\"2026-01-01T00:00:00Z\""));
        maybe(fields, "\"labels\":" + strings());
        maybe(fields, "\"annotations\":" + (rarely() ? "null" : strings()));
        maybe(fields, "\"finalizers\":[" + text() + "]");
        maybe(
                fields,
                "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"K\",\"name\":\"o\",\"uid\":\"x\",\"controller\":true}]");
        maybe(fields, "\"managedFields\":" + managedFields());
        if (rarely()) {
            Collections.shuffle(fields, random);
        }
        return "{" + String.join(",", fields) + "}";
    }

    private String managedFields() {
        List<String> entries = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            List<String> fields = new ArrayList<>();
            maybe(fields, "\"apiVersion\":\"v1\"");
            maybe(fields, "\"fieldsType\":\"FieldsV1\"");
            maybe(fields, "\"fieldsV1\":" + map(3));
            maybe(fields, "\"manager\":\"" + (random.nextBoolean() ? "ours" : "other") + "\"");
            maybe(fields, "\"operation\":\"" + (random.nextBoolean() ? "Apply" : "Update") + "\"");
            maybe(fields, "\"time\":\"2026-01-01T00:00:00Z\"");
            if (rarely()) {
                fields.add("\"subresource\":\"status\"");
            }
            Collections.shuffle(fields, random);
            entries.add("{" + String.join(",", fields) + "}");
        }
        return "[" + String.join(",", entries) + "]";
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0 -> "null";
            case 1 -> Boolean.toString(random.nextBoolean());
            case 2 -> Integer.toString(random.nextInt());
            case 3 -> Long.toString(random.nextLong());
            case 4 -> Double.toString(random.nextInt(1000) / 8.0);
            case 5 -> text();
            case 6 -> list(depth - 1);
            default -> map(depth - 1);
        };
    }

    private String list(int depth) {
        List<String> values = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            values.add(value(depth));
        }
        return "[" + String.join(",", values) + "]";
    }

    private String map(int depth) {
        List<String> fields = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            fields.add("\"" + pick(KEYS) + i + "\":" + value(depth));
        }
        return "{" + String.join(",", fields) + "}";
    }

    private String strings() {
        List<String> fields = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            fields.add("\"" + pick(KEYS) + i + "\":" + text());
        }
        return "{" + String.join(",", fields) + "}";
    }

    private String text() {
        return "\"" + pick(TEXTS) + "\"";
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private boolean rarely() {
        return random.nextInt(16) == 0;
    }

    private void maybe(List<String> fields, String field) {
        if (random.nextInt(3) > 0) {
            fields.add(field);
        }
    }
}
