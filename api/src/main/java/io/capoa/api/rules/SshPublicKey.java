package io.capoa.api.rules;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * A public key as a line of {@code authorized_keys}: type, key in base64, comment. The key repeats its type and consists of
 * length-prefixed parts (RFC 4253, section 6.6).
 */
final class SshPublicKey {

    /** The types that assisted-service takes, and how many parts follow the type's name in a key. */
    private static final Map<String, Integer> PARTS = Map.of(
            "ssh-ed25519", 1,
            "ssh-rsa", 2,
            "ssh-dss", 4,
            "ecdsa-sha2-nistp256", 2,
            "ecdsa-sha2-nistp384", 2,
            "ecdsa-sha2-nistp521", 2);

    private static final String ED25519 = "ssh-ed25519";
    private static final int ED25519_BYTES = 32;

    private SshPublicKey() {}

    /** Whether the line is a key, without options before it, of a type that assisted-service takes. */
    static boolean isKey(String line) {
        String[] words = line.split(" ", 3);
        Integer parts = PARTS.get(words[0]);
        if (parts == null || words.length < 2) {
            return false;
        }
        try {
            ByteBuffer key = ByteBuffer.wrap(Base64.getDecoder().decode(words[1]));
            if (!words[0].equals(new String(next(key), StandardCharsets.US_ASCII))) {
                return false;
            }
            int length = 0;
            for (int i = 0; i < parts; i++) {
                length = next(key).length;
            }
            return !key.hasRemaining() && (!words[0].equals(ED25519) || length == ED25519_BYTES);
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            return false;
        }
    }

    private static byte[] next(ByteBuffer key) {
        int length = key.getInt();
        if (length < 0 || length > key.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] part = new byte[length];
        key.get(part);
        return part;
    }
}
