package io.capoa.lab.workload;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The release images of a registry. */
public interface ReleaseImages {

    /**
     * Digest of an image, such as {@code sha256:…}; empty if it does not exist.
     *
     * @param repository without the registry, such as {@code openshift-release-dev/ocp-release}
     */
    Optional<String> digest(String repository, String tag);

    /** Tag of the image with a digest; empty if it is unknown. */
    Optional<String> tag(String digest);

    /** Images without content: every tag exists, with the digest of its name. */
    static ReleaseImages ofNames() {
        Map<String, String> tags = new ConcurrentHashMap<>();
        return new ReleaseImages() {
            @Override
            public Optional<String> digest(String repository, String tag) {
                try {
                    byte[] name = (repository + ":" + tag).getBytes(StandardCharsets.UTF_8);
                    byte[] hash = MessageDigest.getInstance("SHA-256").digest(name);
                    String digest = "sha256:" + HexFormat.of().formatHex(hash);
                    tags.put(digest, tag);
                    return Optional.of(digest);
                } catch (NoSuchAlgorithmException e) {
                    throw new IllegalStateException("every Java platform has SHA-256", e);
                }
            }

            @Override
            public Optional<String> tag(String digest) {
                return Optional.ofNullable(tags.get(digest));
            }
        };
    }
}
