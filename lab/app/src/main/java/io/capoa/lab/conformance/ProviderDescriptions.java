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

    /** Begins the message about a wrong description. */
    static final String WRONG = "Description of an infrastructure provider: ";

    private static final String METAL3 = "metal3";
    private static final String LAB_CLOUD = "lab-cloud";

    private final Path root;
    private final Path folder;

    /**
     * For a checkout.
     *
     * @param folder to which the paths of descriptions are relative
     */
    public ProviderDescriptions(Path root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    /**
     * The providers of this name.
     *
     * @param name a provider of the lab, or the file that describes one; all providers of the lab if empty
     * @throws ClusterException if it is neither a provider of the lab nor a valid file
     */
    public List<ProviderUnderTest> select(String name) {
        return switch (name.strip()) {
            case "" -> List.of(metal3(), labCloud());
            case METAL3 -> List.of(metal3());
            case LAB_CLOUD -> List.of(labCloud());
            default -> List.of(read(folder.resolve(name.strip())));
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
                    "%sthere is no file %s; give %s, %s, or a file that describes your provider (docs/onboarding-infrastructure.md)."
                            .formatted(WRONG, file, METAL3, LAB_CLOUD));
        }
        return new DescriptionFile(file, content(file)).provider();
    }

    private static Map<?, ?> content(Path file) {
        Object content;
        try {
            content = Serialization.unmarshal(Files.readString(file), Object.class);
        } catch (IOException | RuntimeException e) {
            throw new ClusterException("%s%s is not valid YAML: %s".formatted(WRONG, file, e.getMessage()), e);
        }
        if (!(content instanceof Map<?, ?> map)) {
            throw new ClusterException("%s%s is not a YAML mapping: give it the fields %s."
                    .formatted(WRONG, file, String.join(", ", DescriptionFile.FIELDS)));
        }
        return map;
    }
}
