package io.capoa.lab.conformance;

import io.capoa.lab.cluster.ClusterException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The YAML file that describes an infrastructure provider.
 *
 * @param file its path, to whose folder the paths in it are relative
 * @param fields its content
 */
record DescriptionFile(Path file, Map<?, ?> fields) {

    private static final int DEFAULT_TIMEOUT = 300;
    private static final int LONGEST_TIMEOUT = 7200;

    private static final String NAME = "name";
    private static final String DEFINITIONS = "definitions";
    private static final String MANIFESTS = "manifests";
    private static final String CLUSTER = "cluster";
    private static final String COMMAND = "command";
    private static final String INSTANCES = "instances";
    private static final String TIMEOUT = "timeoutSeconds";
    static final Set<String> FIELDS =
            new TreeSet<>(Set.of(NAME, DEFINITIONS, MANIFESTS, CLUSTER, COMMAND, INSTANCES, TIMEOUT));

    /**
     * The described provider.
     *
     * @throws ClusterException if a field is missing or wrong; the message names it and the remedy
     */
    ProviderUnderTest provider() {
        fields.keySet().stream().filter(field -> !FIELDS.contains(field)).forEach(field -> {
            throw wrong(String.valueOf(field), "is not known", "use " + String.join(", ", FIELDS));
        });
        return new ProviderUnderTest(
                text(NAME, "give the provider a name for messages"),
                file.toAbsolutePath().resolveSibling(""),
                paths(DEFINITIONS, true),
                paths(MANIFESTS, false),
                existing(CLUSTER, text(CLUSTER, "name the manifest of a cluster on the provider")),
                new ProviderUnderTest.Commands(
                        strings(COMMAND, true, "list the program that runs the controller, and its arguments"),
                        strings(INSTANCES, false, "list a program that prints provider IDs, and its arguments")),
                0,
                Duration.ofSeconds(timeout()));
    }

    private String text(String field, String remedy) {
        Object value = fields.get(field);
        if (value == null) {
            throw wrong(field, "is missing", remedy);
        }
        if (!(value instanceof String text) || text.isBlank()) {
            throw wrong(field, "is not a text", remedy);
        }
        return text;
    }

    private List<String> strings(String field, boolean required, String remedy) {
        Object value = fields.get(field);
        if (value == null && required) {
            throw wrong(field, "is missing", remedy);
        }
        if (value == null) {
            return List.of();
        }
        boolean valid = value instanceof List<?> list
                && !list.isEmpty()
                && list.stream().allMatch(entry -> entry instanceof String text && !text.isBlank());
        if (!valid) {
            throw wrong(field, "is not a list of texts", remedy);
        }
        return ((List<?>) value).stream().map(String::valueOf).toList();
    }

    private List<Path> paths(String field, boolean required) {
        return strings(field, required, "list files or folders of YAML").stream()
                .map(path -> existing(field, path))
                .toList();
    }

    private Path existing(String field, String path) {
        Path resolved = file.toAbsolutePath().resolveSibling(path);
        if (!Files.exists(resolved)) {
            throw wrong(
                    field,
                    "names %s, which does not exist".formatted(resolved),
                    "paths are relative to the folder of the description");
        }
        return resolved;
    }

    private int timeout() {
        Object value = fields.get(TIMEOUT);
        if (value == null) {
            return DEFAULT_TIMEOUT;
        }
        if (!(value instanceof Integer seconds) || seconds < 1 || seconds > LONGEST_TIMEOUT) {
            throw wrong(TIMEOUT, "is %s".formatted(value), "give a number of seconds from 1 to " + LONGEST_TIMEOUT);
        }
        return seconds;
    }

    private ClusterException wrong(String field, String what, String remedy) {
        return new ClusterException(
                "%sfield %s of %s %s: %s.".formatted(ProviderDescriptions.WRONG, field, file, what, remedy));
    }
}
