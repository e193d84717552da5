package io.capoa.controlplane.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The system's clock, which tests set forward instead of waiting. */
public final class OffsetClock extends Clock {

    private volatile Duration offset = Duration.ZERO;

    /** Sets the clock forward. */
    public synchronized void pass(Duration time) {
        offset = offset.plus(time);
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(offset);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
