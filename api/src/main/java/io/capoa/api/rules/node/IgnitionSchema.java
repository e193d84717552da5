package io.capoa.api.rules.node;

import java.util.HashMap;
import java.util.Map;

/** The fields of Ignition configurations of all versions 3.x, with their types (Ignition, "Configuration Specification"). */
final class IgnitionSchema {

    /** The form of a value. */
    sealed interface Shape {

        /** As messages call it. */
        String words();
    }

    /** A value without parts. */
    enum Scalar implements Shape {
        STRING("a string"),
        BOOLEAN("true or false, without quotes"),
        INTEGER("a whole number, without quotes");

        private final String words;

        Scalar(String words) {
            this.words = words;
        }

        @Override
        public String words() {
            return words;
        }
    }

    record ListOf(Shape entry) implements Shape {
        @Override
        public String words() {
            return "a list";
        }
    }

    record ObjectOf(Map<String, Shape> fields) implements Shape {
        ObjectOf {
            fields = Map.copyOf(fields);
        }

        @Override
        public String words() {
            return "an object";
        }
    }

    private static final Shape TEXT = Scalar.STRING;
    private static final Shape FLAG = Scalar.BOOLEAN;
    private static final Shape NUMBER = Scalar.INTEGER;
    private static final Shape TEXTS = new ListOf(TEXT);

    private static final Shape RESOURCE = object(Map.of(
            "source",
            TEXT,
            "compression",
            TEXT,
            "httpHeaders",
            list(Map.of("name", TEXT, "value", TEXT)),
            "verification",
            object(Map.of("hash", TEXT))));

    private static final Shape RESOURCES = new ListOf(RESOURCE);

    private static final Map<String, Shape> NODE = Map.of(
            "path",
            TEXT,
            "overwrite",
            FLAG,
            "user",
            object(Map.of("id", NUMBER, "name", TEXT)),
            "group",
            object(Map.of("id", NUMBER, "name", TEXT)));

    /** A whole configuration. */
    static final ObjectOf CONFIG = object(Map.of(
            "ignition", ignition(),
            "kernelArguments", object(Map.of("shouldExist", TEXTS, "shouldNotExist", TEXTS)),
            "passwd", passwd(),
            "storage", storage(),
            "systemd",
                    object(Map.of(
                            "units",
                            list(Map.of(
                                    "name", TEXT,
                                    "enabled", FLAG,
                                    "mask", FLAG,
                                    "contents", TEXT,
                                    "dropins", list(Map.of("name", TEXT, "contents", TEXT))))))));

    private IgnitionSchema() {}

    private static ObjectOf ignition() {
        return object(Map.of(
                "version", TEXT,
                "config", object(Map.of("merge", RESOURCES, "replace", RESOURCE)),
                "timeouts", object(Map.of("httpResponseHeaders", NUMBER, "httpTotal", NUMBER)),
                "security", object(Map.of("tls", object(Map.of("certificateAuthorities", RESOURCES)))),
                "proxy", object(Map.of("httpProxy", TEXT, "httpsProxy", TEXT, "noProxy", TEXTS))));
    }

    private static ObjectOf passwd() {
        Map<String, Shape> group =
                Map.of("name", TEXT, "gid", NUMBER, "passwordHash", TEXT, "system", FLAG, "shouldExist", FLAG);
        Map<String, Shape> user = new HashMap<>(Map.of(
                "name", TEXT,
                "passwordHash", TEXT,
                "sshAuthorizedKeys", TEXTS,
                "uid", NUMBER,
                "gecos", TEXT,
                "homeDir", TEXT,
                "noCreateHome", FLAG,
                "primaryGroup", TEXT,
                "groups", TEXTS,
                "noUserGroup", FLAG));
        user.putAll(Map.of("noLogInit", FLAG, "shell", TEXT, "system", FLAG, "shouldExist", FLAG));
        return object(Map.of("users", list(user), "groups", list(group)));
    }

    private static ObjectOf storage() {
        return object(Map.of(
                "disks", list(Map.of("device", TEXT, "wipeTable", FLAG, "partitions", list(partition()))),
                "raid", list(Map.of("name", TEXT, "level", TEXT, "devices", TEXTS, "spares", NUMBER, "options", TEXTS)),
                "luks", list(luks()),
                "filesystems", list(filesystem()),
                "files", list(node(Map.of("contents", RESOURCE, "append", RESOURCES, "mode", NUMBER))),
                "directories", list(node(Map.of("mode", NUMBER))),
                "links", list(node(Map.of("target", TEXT, "hard", FLAG)))));
    }

    private static Map<String, Shape> partition() {
        return Map.of(
                "label", TEXT,
                "number", NUMBER,
                "sizeMiB", NUMBER,
                "startMiB", NUMBER,
                "typeGuid", TEXT,
                "guid", TEXT,
                "wipePartitionEntry", FLAG,
                "shouldExist", FLAG,
                "resize", FLAG);
    }

    private static Map<String, Shape> filesystem() {
        return Map.of(
                "device", TEXT,
                "format", TEXT,
                "path", TEXT,
                "label", TEXT,
                "uuid", TEXT,
                "options", TEXTS,
                "wipeFilesystem", FLAG,
                "mountOptions", TEXTS);
    }

    private static Map<String, Shape> luks() {
        Shape clevis = object(Map.of(
                "tang",
                list(Map.of("url", TEXT, "thumbprint", TEXT, "advertisement", TEXT)),
                "tpm2",
                FLAG,
                "threshold",
                NUMBER,
                "custom",
                object(Map.of("pin", TEXT, "config", TEXT, "needsNetwork", FLAG))));
        Map<String, Shape> luks = new HashMap<>(Map.of(
                "name", TEXT,
                "device", TEXT,
                "keyFile", RESOURCE,
                "label", TEXT,
                "uuid", TEXT,
                "options", TEXTS,
                "wipeVolume", FLAG,
                "clevis", clevis));
        luks.putAll(Map.of("discard", FLAG, "openOptions", TEXTS, "cex", object(Map.of("enabled", FLAG))));
        return luks;
    }

    private static Map<String, Shape> node(Map<String, Shape> more) {
        Map<String, Shape> fields = new HashMap<>(NODE);
        fields.putAll(more);
        return fields;
    }

    private static ObjectOf object(Map<String, Shape> fields) {
        return new ObjectOf(fields);
    }

    private static ListOf list(Map<String, Shape> entry) {
        return new ListOf(object(entry));
    }
}
