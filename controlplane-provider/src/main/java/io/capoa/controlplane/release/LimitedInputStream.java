package io.capoa.controlplane.release;

import io.capoa.runtime.untrusted.CountedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Fails when a stream exceeds its {@link Quota}, instead of ending silently. */
final class LimitedInputStream extends CountedInputStream {

    private final Quota quota;

    LimitedInputStream(InputStream in, Quota quota) {
        super(in);
        this.quota = quota;
    }

    @Override
    protected void count(long bytes) throws IOException {
        quota.use(bytes);
    }
}
