package io.capoa.runtime.http;

import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** A token bucket for each address. */
public final class AddressRate {

    /** Addresses that are remembered; of more, those that have taken something least recently are forgotten. */
    private static final int MOST = 1_024;

    private final int burst;
    private final Duration refill;
    private final Clock clock;

    /** When each address has its full burst again. */
    private final Map<InetAddress, Instant> full = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Instant> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Full buckets.
     *
     * @param burst what a bucket holds
     * @param refill time for one more
     */
    public AddressRate(int burst, Duration refill, Clock clock) {
        this.burst = burst;
        this.refill = refill;
        this.clock = clock;
    }

    /** Takes one; false if there is none. */
    public synchronized boolean take(InetAddress address) {
        Instant now = clock.instant();
        Instant after = fullAt(address, now).plus(refill);
        if (after.isAfter(now.plus(refill.multipliedBy(burst)))) {
            return false;
        }
        put(address, after);
        return true;
    }

    /** Undoes a {@link #take}. */
    public synchronized void giveBack(InetAddress address) {
        put(address, fullAt(address, clock.instant()).minus(refill));
    }

    private void put(InetAddress address, Instant time) {
        full.remove(address);
        full.put(address, time);
    }

    private Instant fullAt(InetAddress address, Instant now) {
        Instant known = full.getOrDefault(address, now);
        return known.isBefore(now) ? now : known;
    }
}
