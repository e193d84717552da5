package io.capoa.lab.conformance;

import io.capoa.lab.cluster.ClusterException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads which infrastructure providers the conformance suite checks: those of the lab, or one that a file describes. */
public final class ProviderDescriptions {

    /** System property that names a provider of the lab, or the YAML file that describes a provider. */
    public static final String PROPERTY = "capoa.infrastructure";

    private static final String METAL3 = "metal3";
    private static final String LAB_CLOUD = "lab-cloud";

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
        return new DescriptionFile(file, content(file)).provider();
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
                    .formatted(PROPERTY, file, String.join(", ", DescriptionFile.FIELDS)));
        }
        return map;
    }
}
