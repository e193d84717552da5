package io.capoa.lab.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Manifests and blobs of one tag by digest; deterministic.
 *
 * @param digest digest of the tag's manifest or index
 * @param manifests manifests by digest
 * @param blobs blobs by digest
 */
public record SyntheticImage(String digest, Map<String, byte[]> manifests, Map<String, byte[]> blobs) {

    static final String INDEX = "application/vnd.oci.image.index.v1+json";
    static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A file, symbolic link or whiteout in a layer. */
    public record Entry(String path, String content, String linkTo) {

        public static Entry file(String path, String content) {
            return new Entry(path, content, "");
        }

        public static Entry link(String path, String to) {
            return new Entry(path, "", to);
        }
    }

    /** An image of one platform; layers from oldest to newest. */
    public static SyntheticImage of(String architecture, List<List<Entry>> layers) {
        Map<String, byte[]> blobs = new LinkedHashMap<>();
        byte[] config = json(Map.of("architecture", architecture, "os", "linux"));
        blobs.put(digest(config), config);
        List<Map<String, Object>> descriptors = new ArrayList<>();
        for (List<Entry> layer : layers) {
            byte[] blob = pack(layer);
            blobs.put(digest(blob), blob);
            descriptors.add(descriptor("application/vnd.oci.image.layer.v1.tar+gzip", blob));
        }
        Map<String, Object> manifest = new LinkedHashMap<>();
        manifest.put("schemaVersion", 2);
        manifest.put("mediaType", MANIFEST);
        manifest.put("config", descriptor("application/vnd.oci.image.config.v1+json", config));
        manifest.put("layers", descriptors);
        byte[] bytes = json(manifest);
        return new SyntheticImage(digest(bytes), Map.of(digest(bytes), bytes), blobs);
    }

    /** An index of images by platform. */
    public static SyntheticImage index(Map<String, SyntheticImage> byArchitecture) {
        Map<String, byte[]> manifests = new LinkedHashMap<>();
        Map<String, byte[]> blobs = new LinkedHashMap<>();
        List<Map<String, Object>> descriptors = new ArrayList<>();
        byArchitecture.forEach((architecture, image) -> {
            manifests.putAll(image.manifests());
            blobs.putAll(image.blobs());
            Map<String, Object> descriptor = descriptor(MANIFEST, image.top());
            descriptor.put("platform", new TreeMap<>(Map.of("architecture", architecture, "os", "linux")));
            descriptors.add(descriptor);
        });
        Map<String, Object> index = new LinkedHashMap<>();
        index.put("schemaVersion", 2);
        index.put("mediaType", INDEX);
        index.put("manifests", descriptors);
        byte[] bytes = json(index);
        manifests.put(digest(bytes), bytes);
        return new SyntheticImage(digest(bytes), manifests, blobs);
    }

    /** The tag's manifest or index. */
    private byte[] top() {
        return manifests.getOrDefault(digest, new byte[0]);
    }

    static String digest(byte[] content) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static Map<String, Object> descriptor(String mediaType, byte[] content) {
        Map<String, Object> descriptor = new LinkedHashMap<>();
        descriptor.put("mediaType", mediaType);
        descriptor.put("digest", digest(content));
        descriptor.put("size", content.length);
        return descriptor;
    }

    private static byte[] pack(List<Entry> entries) {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (Entry entry : entries) {
                byte[] content = entry.content().getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry header = entry.linkTo().isEmpty()
                        ? new TarArchiveEntry(entry.path())
                        : new TarArchiveEntry(entry.path(), TarConstants.LF_SYMLINK);
                header.setModTime(0);
                if (entry.linkTo().isEmpty()) {
                    header.setSize(content.length);
                } else {
                    header.setLinkName(entry.linkTo());
                }
                tar.putArchiveEntry(header);
                tar.write(entry.linkTo().isEmpty() ? content : new byte[0]);
                tar.closeArchiveEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] json(Map<String, ?> value) {
        try {
            return JSON.writeValueAsBytes(new TreeMap<>(value));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON", e);
        }
    }
}
