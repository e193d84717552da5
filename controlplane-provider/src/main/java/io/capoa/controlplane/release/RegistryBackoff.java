package io.capoa.controlplane.release;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Back-off that doubles from the first pause to the longest, each shortened at random by up to a half. */
public record RegistryBackoff(Duration first, Duration longest, RandomGenerator random) {

    /** Between 1 s and 60 s, for a registry that failed. */
    public static RegistryBackoff standard() {
        return new RegistryBackoff(Duration.ofSeconds(1), Duration.ofSeconds(60), RandomGenerator.getDefault());
    }

    /** The pause after so many failures in a row, at least one. */
    public Duration after(int failures) {
        long full = Math.min(longest.toMillis(), first.toMillis() << Math.min(failures - 1, 20));
        return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
    }
}
