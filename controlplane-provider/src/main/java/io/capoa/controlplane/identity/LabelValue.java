package io.capoa.controlplane.identity;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Turns an object's name into a label value as Cluster API does: the name itself, or a hash of it. */
public final class LabelValue {

    private static final Pattern VALID = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?");
    private static final int MAX_LENGTH = 63;
    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private LabelValue() {}

    /** The name if it is a valid label value, else {@code hash_<FNV-1a of the name, base64>_z}. */
    public static String of(String name) {
        if (name.length() <= MAX_LENGTH && VALID.matcher(name).matches()) {
            return name;
        }
        int hash = FNV_OFFSET;
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
        }
        byte[] sum = ByteBuffer.allocate(Integer.BYTES).putInt(hash).array();
        return "hash_" + Base64.getUrlEncoder().withoutPadding().encodeToString(sum) + "_z";
    }
}
