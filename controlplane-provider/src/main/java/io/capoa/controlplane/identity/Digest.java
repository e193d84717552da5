package io.capoa.controlplane.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Deterministic short names, so that a reconcile after a crash or from a stale cache computes the same name again. */
public final class Digest {

    /** No vowels and no characters that look alike, as in names that Kubernetes generates. */
    private static final char[] ALPHABET = "bcdfghjklmnpqrstvwxz2456789".toCharArray();

    private Digest() {}

    /** Hash of {@code identity}: {@code length} characters, at most 16, which are valid anywhere in a name. */
    public static String of(String identity, int length) {
        byte[] sum = sha256(identity);
        StringBuilder name = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int pair = (sum[2 * i] & 0xff) << 8 | (sum[2 * i + 1] & 0xff);
            name.append(ALPHABET[pair % ALPHABET.length]);
        }
        return name.toString();
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
