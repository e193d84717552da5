package io.capoa.runtime.untrusted;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream of another party whose bytes are counted as they are read or skipped, so that they can be limited. */
public abstract class CountedInputStream extends FilterInputStream {

    /** The most that is skipped at once: a stream that unpacks would do all of it before any was counted. */
    private static final long STEP = 64 << 10;

    protected CountedInputStream(InputStream in) {
        super(in);
    }

    /**
     * Told of bytes that have come; 0 at the end.
     *
     * @throws IOException if they are too many
     */
    protected abstract void count(long bytes) throws IOException;

    @Override
    public final int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public final int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        count(Math.max(read, 0));
        return read;
    }

    @Override
    public final long skip(long bytes) throws IOException {
        long skipped = super.skip(Math.min(bytes, STEP));
        count(skipped);
        return skipped;
    }
}
