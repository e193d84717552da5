package io.capoa.controlplane.release;

import io.capoa.runtime.untrusted.RefusedAnswerException;

/** A number of bytes that several streams use up together. Not for several threads. */
final class Quota {

    private static final long STEP = 1 << 20;

    private final String what;
    private final long limit;
    private long used;

    /**
     * Nothing is used yet.
     *
     * @param what names the bytes in the message
     */
    Quota(String what, long limit) {
        this.what = what;
        this.limit = limit;
    }

    // The scheduler of virtual threads, unlike that of the system, takes no processor away by itself.
    @SuppressWarnings("ThreadPriorityCheck")
    void use(long bytes) throws RefusedAnswerException {
        long before = used;
        used += bytes;
        if (used > limit) {
            throw RefusedAnswerException.tooLarge(what, limit);
        }
        if (used / STEP > before / STEP) {
            // A bomb that unpacks without ever waiting for its server would stop all others.
            Thread.yield();
        }
    }

    long used() {
        return used;
    }
}
