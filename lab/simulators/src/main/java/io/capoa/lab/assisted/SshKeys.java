package io.capoa.lab.assisted;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Checks public SSH keys as the service does: each line by a pattern of the supported types, then by parsing the key
 * (assisted-service, {@code ValidateSSHPublicKey}).
 */
final class SshKeys {

    private static final Pattern SUPPORTED = Pattern.compile("(ssh-rsa AAAAB3NzaC1yc2"
            + "|ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNT"
            + "|ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzOD"
            + "|ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1Mj"
            + "|ssh-ed25519 AAAAC3NzaC1lZDI1NTE5|ssh-dss AAAAB3NzaC1kc3)[0-9A-Za-z+/]+={0,3}( .*)?");

    /** Number of integers or octet strings that follow the type's name in a key. */
    private static final Map<String, Integer> PARTS = Map.of(
            "ssh-rsa", 2,
            "ssh-ed25519", 1,
            "ssh-dss", 4,
            "ecdsa-sha2-nistp256", 2,
            "ecdsa-sha2-nistp384", 2,
            "ecdsa-sha2-nistp521", 2);

    private static final int ED25519_BYTES = 32;

    private SshKeys() {}

    /** The first error in the keys, one per line; empty if all are valid or there are none. */
    static String problem(String keys) {
        String trimmed = keys.strip();
        if (trimmed.isEmpty()) {
            return "";
        }
        for (String line : trimmed.split("\n", -1)) {
            String key = line.strip();
            if (!SUPPORTED.matcher(key).matches()) {
                return "SSH key: " + key + " does not match any supported type: ssh-rsa, ssh-ed25519, ecdsa-[VARIANT]";
            }
            if (!parses(key.split(" ", 3))) {
                return "Malformed SSH key: " + key + ": ssh: no key found";
            }
        }
        return "";
    }

    private static boolean parses(String[] key) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(key[1]));
            if (!key[0].equals(new String(part(bytes), StandardCharsets.US_ASCII))) {
                return false;
            }
            int last = 0;
            for (int i = 0; i < PARTS.getOrDefault(key[0], 0); i++) {
                last = part(bytes).length;
            }
            return !bytes.hasRemaining() && (!key[0].equals("ssh-ed25519") || last == ED25519_BYTES);
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            return false;
        }
    }

    private static byte[] part(ByteBuffer bytes) {
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] part = new byte[length];
        bytes.get(part);
        return part;
    }
}
