package io.capoa.lab.core;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Deterministic names that look like generated ones. */
final class Names {

    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int LENGTH = 5;

    private Names() {}

    /** {@code base} and five letters derived from the seed. */
    static String of(String base, String seed) {
        return base + "-" + letters(seed);
    }

    static String letters(String seed) {
        byte[] digest;
        try {
            digest = MessageDigest.getInstance("SHA-256").digest(seed.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            letters.append(ALPHABET.charAt((digest[i] & 0xff) % ALPHABET.length()));
        }
        return letters.toString();
    }
}
