package io.capoa.bootstrap.ignition;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * Composes an ignition that has the host fetch its discovery ignition (Ignition specification 3.1.0,
 * {@code ignition.config.merge}). Whatever it holds is compressed, because clouds limit user data.
 */
final class DiscoveryReference {

    private DiscoveryReference() {}

    /**
     * The configuration as compact JSON.
     *
     * @param url where the host finds the discovery ignition
     * @param certificates in PEM, by which the host trusts that server besides its system's; may be empty
     * @param additions merged after the discovery ignition, so that they win
     */
    static String compose(String url, String certificates, Optional<Ignition> additions) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ObjectNode ignition = root.putObject("ignition").put("version", "3.1.0");
        ArrayNode merged = ignition.putObject("config").putArray("merge");
        merged.addObject().put("source", url);
        additions.ifPresent(config -> merged.add(compressed(config.toJson())));
        if (!certificates.isEmpty()) {
            ignition.putObject("security")
                    .putObject("tls")
                    .putArray("certificateAuthorities")
                    .add(compressed(certificates));
        }
        return root.toString();
    }

    private static ObjectNode compressed(String content) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("source", "data:;base64," + Base64.getEncoder().encodeToString(gzip(content)))
                .put("compression", "gzip");
    }

    private static byte[] gzip(String content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
