package io.capoa.controlplane.release;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Fails when a stream exceeds its {@link Quota}, instead of ending silently. */
final class LimitedInputStream extends FilterInputStream {

    /** The most that is skipped at once, by any stream of a layer. */
    static final long STEP = 64 << 10;

    private final Quota quota;

    LimitedInputStream(InputStream in, Quota quota) {
        super(in);
        this.quota = quota;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        quota.use(b < 0 ? 0 : 1);
        return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int n = super.read(buffer, offset, length);
        quota.use(Math.max(n, 0));
        return n;
    }

    /** In steps: a stream that unpacks would do all of it before any was counted. */
    @Override
    public long skip(long n) throws IOException {
        long skipped = super.skip(Math.min(n, STEP));
        quota.use(skipped);
        return skipped;
    }
}
