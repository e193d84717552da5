package io.capoa.controlplane.release;

import java.time.Duration;

/**
 * How much is taken from a registry, and how long it may take.
 *
 * @param manifest bytes of a manifest or image index
 * @param layer compressed bytes of a layer
 * @param unpacked bytes of a layer when unpacked
 * @param file bytes of the file that describes the release; about 200 KiB in real ones
 * @param connect until a registry accepts a connection
 * @param silence between two bytes of an answer
 * @param whole for all requests about one release
 */
record Limits(int manifest, long layer, long unpacked, int file, Duration connect, Duration silence, Duration whole) {

    private static final int MIB = 1 << 20;

    static Limits standard() {
        return new Limits(
                4 * MIB,
                128L * MIB,
                1024L * MIB,
                8 * MIB,
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(60));
    }
}
