package io.capoa.api;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** Deterministic short names, so that a reconcile after a crash or from a stale cache computes the same name again. */
public final class Digest {

    /** No vowels and no characters that look alike, as in names that Kubernetes generates. */
    private static final char[] ALPHABET = "bcdfghjklmnpqrstvwxz2456789".toCharArray();

    private Digest() {}

    /** Hash of {@code identity}: {@code length} characters, at most 16, which are valid anywhere in a name. */
    public static String of(String identity, int length) {
        return name(sha256().digest(identity.getBytes(StandardCharsets.UTF_8)), length);
    }

    private static String name(byte[] sum, int length) {
        StringBuilder name = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int pair = (sum[2 * i] & 0xff) << 8 | (sum[2 * i + 1] & 0xff);
            name.append(ALPHABET[pair % ALPHABET.length]);
        }
        return name.toString();
    }

    /** The same of several texts, whose borders count. */
    public static String of(List<String> texts, int length) {
        MessageDigest sha256 = sha256();
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
            sha256.update(bytes);
        }
        return name(sha256.digest(), length);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
