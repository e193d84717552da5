package io.capoa.api.reference;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.crds.CrdFiles;
import java.util.List;
import java.util.stream.Stream;

/** A CRD of ours, as the reference reads it. */
record Crd(JsonNode spec) {

    /** All CRDs, as the API types say, in the order of their files. */
    static List<Crd> all() {
        return CrdFiles.generate().values().stream().map(Crd::parse).toList();
    }

    private static Crd parse(String yaml) {
        try {
            return new Crd(new YAMLMapper().readTree(yaml).path("spec"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    String kind() {
        return spec.at("/names/kind").asText();
    }

    String group() {
        return spec.path("group").asText();
    }

    List<String> shortNames() {
        return Field.strings(spec.at("/names/shortNames"));
    }

    /** The name for {@code kubectl explain}. */
    String resource() {
        return shortNames().isEmpty()
                ? spec.at("/names/singular").asText()
                : shortNames().getFirst();
    }

    /** The version that is stored and not deprecated. */
    Version current() {
        return versions().filter(version -> !version.deprecated()).findFirst().orElseThrow();
    }

    /** The versions that are still served for clients of the Go provider, from old to new. */
    List<Version> older() {
        return versions().filter(Version::deprecated).toList();
    }

    private Stream<Version> versions() {
        return Field.elements(spec.path("versions")).map(Version::new);
    }

    /** A version of a CRD. */
    record Version(JsonNode node) {

        String name() {
            return node.path("name").asText();
        }

        boolean deprecated() {
            return node.path("deprecated").asBoolean();
        }

        boolean served() {
            return node.path("served").asBoolean();
        }

        JsonNode root() {
            return node.at("/schema/openAPIV3Schema");
        }

        List<String> subresources() {
            return node.path("subresources").properties().stream()
                    .map(subresource -> subresource.getKey())
                    .toList();
        }
    }
}
