package io.capoa.lab.assisted;

import io.capoa.lab.workload.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Builds ignition configs as maps, and merges an override into one the way ignition merges: the override wins. */
public final class IgnitionMaps {

    static final String VERSION = "3.1.0";

    private static final Set<String> VERSIONS = Set.of(VERSION, "3.2.0");

    private IgnitionMaps() {}

    static Map<String, Object> config(List<Map<String, Object>> files, List<Map<String, Object>> units) {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("ignition", new LinkedHashMap<>(Map.of("version", VERSION)));
        config.put("storage", new LinkedHashMap<>(Map.of("files", files)));
        config.put("systemd", new LinkedHashMap<>(Map.of("units", units)));
        return config;
    }

    /** @param mode of the file, as a number that is octal when written out */
    static Map<String, Object> file(String path, int mode, String content) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("path", path);
        file.put("mode", mode);
        file.put("overwrite", true);
        file.put("user", Map.of("name", "root"));
        String encoded = Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
        file.put("contents", Map.of("source", "data:text/plain;charset=utf-8;base64," + encoded));
        return file;
    }

    static Map<String, Object> unit(String name, String contents) {
        Map<String, Object> unit = new LinkedHashMap<>();
        unit.put("name", name);
        unit.put("enabled", true);
        unit.put("contents", contents);
        return unit;
    }

    /**
     * Reads an override as the service does, which knows exactly the versions 3.1.0 and 3.2.0; throws {@link IOException}
     * with its message if the override is not such a config with readable sources.
     */
    static Map<String, Object> parseOverride(String override) throws IOException {
        Map<String, Object> parsed;
        try {
            parsed = Json.parse(override);
        } catch (IOException e) {
            throw new IOException("error parsing ignition: config is not valid, error report: ", e);
        }
        if (!(parsed.get("ignition") instanceof Map<?, ?> header)
                || !(header.get("version") instanceof String version)
                || !VERSIONS.contains(version)) {
            throw new IOException("error parsing ignition: unsupported config version, error report: ");
        }
        IgnitionSources.check("$", parsed);
        return parsed;
    }

    /** The base with the override merged into it, in the override's version; throws {@link IOException} as {@link #parseOverride}. */
    static Map<String, Object> override(Map<String, Object> base, String override) throws IOException {
        Map<String, Object> parsed = parseOverride(override);
        Map<String, Object> merged = merge(base, parsed);
        merged.put("ignition", parsed.get("ignition"));
        return merged;
    }

    /** The base with the override merged into it, but for {@code ignition}, which stays the base's. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> merge(Map<String, Object> base, Map<String, Object> override) {
        Map<String, Object> merged = new LinkedHashMap<>(base);
        override.forEach((key, value) -> {
            Object before = merged.get(key);
            if (key.equals("ignition")) {
                return;
            }
            if (before instanceof Map<?, ?> && value instanceof Map<?, ?>) {
                merged.put(key, merge((Map<String, Object>) before, (Map<String, Object>) value));
            } else if (before instanceof List<?> old && value instanceof List<?> added) {
                merged.put(key, mergeLists(old, added));
            } else if (value != null) {
                merged.put(key, value);
            }
        });
        return merged;
    }

    /** Merges entries with the same name or path and appends the others. */
    @SuppressWarnings("unchecked")
    private static List<Object> mergeLists(List<?> before, List<?> added) {
        List<Object> merged = new ArrayList<>(before);
        for (Object entry : added) {
            int at = -1;
            for (int i = 0; i < merged.size() && !identity(entry).isEmpty(); i++) {
                at = identity(entry).equals(identity(merged.get(i))) ? i : at;
            }
            if (at < 0) {
                merged.add(entry);
            } else {
                merged.set(at, merge((Map<String, Object>) merged.get(at), (Map<String, Object>) entry));
            }
        }
        return merged;
    }

    private static String identity(Object entry) {
        if (!(entry instanceof Map<?, ?> map)) {
            return "";
        }
        Object name = map.containsKey("path") ? map.get("path") : map.get("name");
        return name instanceof String text ? text : "";
    }
}
