package io.capoa.lab.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the preconditions of a {@code meta/v1 DeleteOptions}, in JSON or in Kubernetes' protobuf envelope, which Go clients
 * use for the built-in kinds. Source: {@code generated.proto} of apimachinery, {@code runtime.Unknown} and {@code meta/v1}.
 */
final class DeletePreconditions {

    private static final byte[] ENVELOPE = {'k', '8', 's', 0};
    private static final int UNKNOWN_RAW = 2;
    private static final int OPTIONS_PRECONDITIONS = 2;
    private static final int UID = 1;
    private static final int RESOURCE_VERSION = 2;

    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED_32 = 5;

    private DeletePreconditions() {}

    /**
     * The values of {@code uid} and {@code resourceVersion}, as far as they are given.
     *
     * @throws IOException when the body is neither
     */
    static Map<String, String> read(byte[] body) throws IOException {
        Map<String, String> preconditions = new LinkedHashMap<>();
        if (body.length == 0) {
            return preconditions;
        }
        if (Arrays.equals(body, 0, Math.min(body.length, ENVELOPE.length), ENVELOPE, 0, ENVELOPE.length)) {
            byte[] options = field(Arrays.copyOfRange(body, ENVELOPE.length, body.length), UNKNOWN_RAW);
            byte[] given = options == null ? null : field(options, OPTIONS_PRECONDITIONS);
            if (given != null) {
                put(preconditions, "uid", field(given, UID));
                put(preconditions, "resourceVersion", field(given, RESOURCE_VERSION));
            }
        } else if (Json.parse(body).get("preconditions") instanceof Map<?, ?> given) {
            given.forEach((name, value) -> preconditions.put(String.valueOf(name), String.valueOf(value)));
        }
        return preconditions;
    }

    private static void put(Map<String, String> preconditions, String name, byte @Nullable [] value) {
        if (value != null) {
            preconditions.put(name, new String(value, StandardCharsets.UTF_8));
        }
    }

    /** The length-delimited field of that number; {@code null} when the message has none. */
    private static byte @Nullable [] field(byte[] message, int number) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(message);
        try {
            while (in.hasRemaining()) {
                long tag = varint(in);
                switch ((int) (tag & 7)) {
                    case VARINT -> varint(in);
                    case FIXED_64 -> in.getLong();
                    case FIXED_32 -> in.getInt();
                    case BYTES -> {
                        byte[] value = new byte[Math.toIntExact(varint(in))];
                        in.get(value);
                        if (tag >>> 3 == number) {
                            return value;
                        }
                    }
                    default -> throw new IOException("no protobuf message: wire type " + (tag & 7));
                }
            }
            return null;
        } catch (RuntimeException e) {
            throw new IOException("no protobuf message", e);
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
