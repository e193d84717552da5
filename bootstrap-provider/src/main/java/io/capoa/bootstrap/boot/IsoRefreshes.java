package io.capoa.bootstrap.boot;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Live ISOs that assisted-service was asked to replace. Only a new URL shows that it has done so, and there may be
 * none: after a timeout the old ISO is used.
 */
public final class IsoRefreshes {

    private static final Duration LONGEST = Duration.ofSeconds(10);

    private record Replaced(String iso, Instant until) {}

    private final Clock clock;
    private final Map<ResourceID, Replaced> replaced = new ConcurrentHashMap<>();

    public IsoRefreshes(Clock clock) {
        this.clock = clock;
    }

    /** The config's ISO of that address is to be replaced. */
    public void expect(ResourceID config, String iso) {
        replaced.put(config, new Replaced(iso, clock.instant().plus(LONGEST)));
    }

    /** For how long to wait at most for another ISO than the one that is published; empty when that one counts. */
    public Optional<Duration> left(ResourceID config, @Nullable String iso) {
        Replaced known = replaced.get(config);
        if (known == null) {
            return Optional.empty();
        }
        Duration left = Duration.between(clock.instant(), known.until());
        if (known.iso().equals(iso) && left.isPositive()) {
            return Optional.of(left);
        }
        forget(config);
        return Optional.empty();
    }

    /** Drops what is known for the config. */
    public void forget(ResourceID config) {
        replaced.remove(config);
    }
}
