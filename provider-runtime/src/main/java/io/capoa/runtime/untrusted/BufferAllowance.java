package io.capoa.runtime.untrusted;

import java.io.IOException;
import okhttp3.Response;

/**
 * Limits what a thread may read from {@link GuardedSockets} before it delivers something. okhttp buffers the line
 * before each chunk of a body until its end, which may never come.
 */
final class BufferAllowance {

    /** okhttp takes 256 KiB of header lines, which is the most that a step needs. */
    static final long BYTES = 512 << 10;

    private static final ThreadLocal<long[]> LEFT = new ThreadLocal<>();

    private BufferAllowance() {}

    /** A step that reads from a server. */
    @FunctionalInterface
    interface Read<T> {
        T run() throws IOException;
    }

    /** Runs one step with a full allowance. */
    static <T> T within(Read<T> step) throws IOException {
        long[] before = LEFT.get();
        LEFT.set(new long[] {BYTES});
        try {
            return step.run();
        } finally {
            if (before == null) {
                LEFT.remove();
            } else {
                LEFT.set(before);
            }
        }
    }

    /** Closes an answer that is not used, which may read a part of it. */
    static void close(Response response) throws IOException {
        within(() -> {
            response.close();
            return true;
        });
    }

    static void take(int bytes) throws RefusedAnswerException {
        long[] left = LEFT.get();
        if (left == null) {
            return;
        }
        left[0] -= bytes;
        if (left[0] < 0) {
            throw new RefusedAnswerException("it sends a line without an end");
        }
    }
}
