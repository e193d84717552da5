package io.capoa.controlplane.release;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends with an error, not silently, when more comes than was allowed. */
final class LimitedInputStream extends FilterInputStream {

    private final String what;
    private final long limit;
    private long read;

    LimitedInputStream(InputStream in, String what, long limit) {
        super(in);
        this.what = what;
        this.limit = limit;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        count(b < 0 ? 0 : 1);
        return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int n = super.read(buffer, offset, length);
        count(Math.max(n, 0));
        return n;
    }

    @Override
    public long skip(long n) throws IOException {
        long skipped = super.skip(n);
        count(skipped);
        return skipped;
    }

    private void count(long more) throws IOException {
        read += more;
        if (read > limit) {
            throw new IOException("%s is larger than %d bytes".formatted(what, limit));
        }
    }
}
