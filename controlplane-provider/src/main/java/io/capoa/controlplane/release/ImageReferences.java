package io.capoa.controlplane.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.Optional;

/**
 * The file in a release image that lists the release's component images: an ImageStream in JSON or YAML.
 *
 * @param version name of the ImageStream, which is the release's version; empty if it has none
 * @param kubernetesVersion of the first component that says {@code kubernetes=…} in the annotation
 *     {@code io.openshift.build.versions}, as it stands there
 */
record ImageReferences(String version, Optional<String> kubernetesVersion) {

    /** Where the file lies in the image, without a leading slash. */
    static final String PATH = "release-manifests/image-references";

    private static final String VERSIONS = "io.openshift.build.versions";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** Reads the file; an {@link IOException} says that it is neither JSON nor YAML. */
    static ImageReferences parse(String file) throws IOException {
        boolean json = file.stripLeading().startsWith("{");
        JsonNode stream = (json ? JSON : YAML).readTree(file);
        for (JsonNode tag : stream.path("spec").path("tags")) {
            String versions = tag.path("annotations").path(VERSIONS).asText("");
            for (String version : versions.split(",", -1)) {
                String[] parts = version.split("=", -1);
                if (parts.length == 2 && parts[0].strip().equals("kubernetes") && !parts[1].isBlank()) {
                    return new ImageReferences(name(stream), Optional.of(parts[1].strip()));
                }
            }
        }
        return new ImageReferences(name(stream), Optional.empty());
    }

    private static String name(JsonNode stream) {
        return stream.path("metadata").path("name").asText("");
    }
}
