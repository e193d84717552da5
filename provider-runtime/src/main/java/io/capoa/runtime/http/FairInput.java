package io.capoa.runtime.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Lets other virtual threads run from time to time. A thread that always finds something to read would keep its carrier
 * until the end of a body, and all connections and reconciles may share one.
 */
final class FairInput extends FilterInputStream {

    private static final int TURN = 32 << 10;

    private int read;

    FairInput(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        return counted(super.read(), 1);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        return counted(count, count);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint is all that is wanted
    private int counted(int result, int count) {
        read += Math.max(0, count);
        if (read >= TURN) {
            read = 0;
            Thread.yield();
        }
        return result;
    }
}
