package io.capoa.controlplane.release;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of contents: as registries write digests, and as keys that do not reveal the content. */
final class Fingerprint {

    private Fingerprint() {}

    /** {@code sha256:} and 64 hexadecimal digits. */
    static String of(byte[] content) {
        return format(digest().digest(content));
    }

    static String of(String content) {
        return of(content.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a finished hash as registries do. */
    static String format(byte[] hash) {
        return "sha256:" + HexFormat.of().formatHex(hash);
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
