package io.capoa.controlplane.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a registry keeps under a tag: an image of layers, or an index of images by platform. */
sealed interface Manifest {

    /** Media types that this client understands, for the {@code Accept} header. */
    List<String> MEDIA_TYPES = List.of(
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.docker.distribution.manifest.list.v2+json",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.docker.distribution.manifest.v2+json");

    ObjectMapper JSON = UntrustedContent.json();

    /** What a registry is asked for by content; it becomes a part of the request's path. */
    Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

    /** The names of architectures and operating systems; they are remembered and compared with those of hosts. */
    Pattern PLATFORM = Pattern.compile("[0-9A-Za-z._-]{0,32}");

    /** A blob that a manifest points to. */
    record Layer(String digest, long size) {}

    /** An image of one platform; layers from oldest to newest. */
    record Image(List<Layer> layers) implements Manifest {}

    /** One platform of an index. */
    record Platform(String os, String architecture, String digest) {}

    /** Images of several platforms. */
    record Index(List<Platform> platforms) implements Manifest {

        /** The platforms that are real ones; attestations are listed as {@code unknown}. */
        List<Platform> real() {
            return platforms.stream()
                    .filter(p -> !p.architecture().equals("unknown"))
                    .toList();
        }

        /** The image to read: any will do, as all describe the same release; amd64 where there is one. */
        Optional<Platform> choice() {
            return real().stream()
                    .min(Comparator.comparing((Platform p) -> !p.os().equals("linux"))
                            .thenComparing(p -> !p.architecture().equals("amd64"))
                            .thenComparing(Platform::architecture));
        }
    }

    /** Reads a manifest; an {@link IOException} says what is wrong with it. */
    static Manifest parse(byte[] content) throws IOException {
        JsonNode root = JSON.readTree(content);
        if (root.path("manifests").isArray()) {
            List<Platform> platforms = new ArrayList<>();
            for (JsonNode m : root.path("manifests")) {
                JsonNode platform = m.path("platform");
                platforms.add(new Platform(
                        checked(platform, "os", PLATFORM),
                        checked(platform, "architecture", PLATFORM),
                        checked(m, "digest", DIGEST)));
            }
            if (platforms.size() > RegistryLimits.PLATFORMS) {
                throw new IOException("its index lists more than %d images".formatted(RegistryLimits.PLATFORMS));
            }
            return new Index(List.copyOf(platforms));
        }
        if (root.path("layers").isArray()) {
            List<Layer> layers = new ArrayList<>();
            for (JsonNode l : root.path("layers")) {
                layers.add(
                        new Layer(checked(l, "digest", DIGEST), l.path("size").asLong(0)));
            }
            if (layers.size() > RegistryLimits.LAYERS) {
                throw new IOException("its manifest lists more than %d layers".formatted(RegistryLimits.LAYERS));
            }
            return new Image(List.copyOf(layers));
        }
        throw new IOException("its manifest has neither layers nor a list of images (schema version "
                + UntrustedContent.quoted(root.path("schemaVersion").asText("unknown")) + ")");
    }

    private static String checked(JsonNode node, String field, Pattern form) throws IOException {
        String text = node.path(field).asText("");
        if (!form.matcher(text).matches()) {
            throw new IOException("its manifest has \"%s\" as %s".formatted(UntrustedContent.quoted(text), field));
        }
        return text;
    }
}
