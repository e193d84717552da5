package io.capoa.runtime.webhook;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Bytes of the heap for the requests of a server. A request that finds no room waits for it; one address never takes
 * more than half, so that it cannot keep the others out.
 */
final class SharedRoom {

    private final long total;
    private final Map<InetAddress, Long> taken = new HashMap<>();

    SharedRoom(long total) {
        this.total = total;
    }

    /** The most that one request takes: beside it an address still has a quarter of its half. */
    long largest() {
        return total / 8 * 3;
    }

    /** Takes bytes, half of all at most; false if there is no room for so long. */
    synchronized boolean take(InetAddress who, long bytes, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!fits(who, bytes)) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        var unused = taken.merge(who, bytes, Long::sum);
        return true;
    }

    /** Gives back what was taken. */
    synchronized void release(InetAddress who, long bytes) {
        var unused = taken.computeIfPresent(who, (address, all) -> all > bytes ? Long.valueOf(all - bytes) : null);
        notifyAll();
    }

    private boolean fits(InetAddress who, long bytes) {
        long all = taken.values().stream().mapToLong(Long::longValue).sum();
        return all + bytes <= total && taken.getOrDefault(who, 0L) + bytes <= total / 2;
    }
}
