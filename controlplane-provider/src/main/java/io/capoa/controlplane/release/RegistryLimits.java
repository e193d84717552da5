package io.capoa.controlplane.release;

import java.time.Duration;

/**
 * Limits for size and duration of registry requests. A manager has 128 MiB of heap (config/jvm.options, and the memory
 * limit of its Deployment), of which it uses about 40 MiB; one release holds less than 2 MiB at any time.
 *
 * @param manifest bytes of a manifest or image index; some KiB in real ones
 * @param layer compressed bytes of a layer
 * @param unpacked bytes of all layers of a release when unpacked; they are not kept
 * @param header bytes before an entry of a layer: its name, its target, its attributes
 * @param file bytes of the file that describes the release; about 200 KiB in real ones
 * @param token bytes of a token service's answer; a token has some KiB
 */
record RegistryLimits(int manifest, long layer, long unpacked, int header, int file, int token, Timeouts timeouts) {

    /**
     * How long requests may take.
     *
     * @param connect until a registry accepts a connection
     * @param silence between two bytes of a response
     * @param whole for all requests about one release
     */
    record Timeouts(Duration connect, Duration silence, Duration whole) {}

    /** Releases that are read at a time: what is under way at once has to fit into the heap. */
    static final int PLACES = 24;

    /** Of those, releases that one namespace asks for. */
    static final int PLACES_PER_NAMESPACE = 8;

    /** Of those, releases that one registry is asked for. */
    static final int PLACES_PER_REGISTRY = 4;

    /** Layers of an image; container runtimes take no more. */
    static final int LAYERS = 128;

    /** Images of an index; releases have four, and attestations count. */
    static final int PLATFORMS = 64;

    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    static RegistryLimits standard() {
        return new RegistryLimits(
                256 * KIB,
                128L * MIB,
                1024L * MIB,
                128 * KIB,
                1 * MIB,
                64 * KIB,
                new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(60)));
    }
}
