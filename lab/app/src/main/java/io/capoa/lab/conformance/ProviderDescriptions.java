package io.capoa.lab.conformance;

import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads which infrastructure providers the conformance suite checks: those of the lab, or one that a file describes. */
public final class ProviderDescriptions {

    /** System property that names a provider of the lab, or the YAML file that describes a provider. */
    public static final String PROPERTY = "capoa.infrastructure";

    private static final String METAL3 = "metal3";
    private static final String LAB_CLOUD = "lab-cloud";
    private static final int DEFAULT_TIMEOUT = 300;
    private static final int LONGEST_TIMEOUT = 7200;

    private static final String NAME = "name";
    private static final String DEFINITIONS = "definitions";
    private static final String MANIFESTS = "manifests";
    private static final String CLUSTER = "cluster";
    private static final String COMMAND = "command";
    private static final String INSTANCES = "instances";
    private static final String TIMEOUT = "timeoutSeconds";
    private static final Set<String> FIELDS =
            new TreeSet<>(Set.of(NAME, DEFINITIONS, MANIFESTS, CLUSTER, COMMAND, INSTANCES, TIMEOUT));

    private final Path root;

    /** @param root the checkout, to which the property's path is relative */
    public ProviderDescriptions(Path root) {
        this.root = root;
    }

    /**
     * The providers that the property selects.
     *
     * @param property its value; all providers of the lab if empty
     * @throws ClusterException if it names neither a provider of the lab nor a valid file
     */
    public List<ProviderUnderTest> select(String property) {
        return switch (property.strip()) {
            case "" -> List.of(metal3(), labCloud());
            case METAL3 -> List.of(metal3());
            case LAB_CLOUD -> List.of(labCloud());
            default -> List.of(read(root.resolve(property.strip())));
        };
    }

    /** The simulated Metal3. */
    public ProviderUnderTest metal3() {
        return ProviderUnderTest.ofLab(METAL3, root.resolve("config/samples/multinode.yaml"), 5);
    }

    /** The simulated cloud. */
    public ProviderUnderTest labCloud() {
        return ProviderUnderTest.ofLab(LAB_CLOUD, root.resolve("config/samples/external.yaml"), 0);
    }

    private static ProviderUnderTest read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new ClusterException(
                    "Property %s: there is no file %s; give %s, %s, or a file that describes your provider (docs/onboarding-infrastructure.md)."
                            .formatted(PROPERTY, file, METAL3, LAB_CLOUD));
        }
        return new Description(file, content(file)).provider();
    }

    private static Map<?, ?> content(Path file) {
        Object content;
        try {
            content = Serialization.unmarshal(Files.readString(file), Object.class);
        } catch (IOException | RuntimeException e) {
            throw new ClusterException(
                    "Property %s: %s is not valid YAML: %s".formatted(PROPERTY, file, e.getMessage()), e);
        }
        if (!(content instanceof Map<?, ?> map)) {
            throw new ClusterException("Property %s: %s is not a YAML mapping: give it the fields %s."
                    .formatted(PROPERTY, file, String.join(", ", FIELDS)));
        }
        return map;
    }

    private record Description(Path file, Map<?, ?> fields) {

        ProviderUnderTest provider() {
            fields.keySet().stream().filter(field -> !FIELDS.contains(field)).forEach(field -> {
                throw wrong(String.valueOf(field), "is not known", "use " + String.join(", ", FIELDS));
            });
            return new ProviderUnderTest(
                    text(NAME, "give the provider a name for messages"),
                    file.toAbsolutePath().getParent(),
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
            Path resolved = file.toAbsolutePath().getParent().resolve(path);
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
                    "Property %s: field %s of %s %s: %s.".formatted(PROPERTY, field, file, what, remedy));
        }
    }
}
