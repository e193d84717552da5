package io.capoa.controlplane.release;

import io.capoa.runtime.untrusted.CountedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a tar archive in bounded memory. The library holds names, PAX records and sparse maps of any length, and
 * global PAX records of the whole archive; so each entry's header is read by a reader of its own, from a stream that ends
 * after some bytes.
 */
final class TarEntries {

    private static final int RECORD = 512;

    private final Metered in;
    private final int headerLimit;
    /** Bytes of the current entry's content and padding that have not been read. */
    private long content;

    private long padding;

    TarEntries(InputStream in, int headerLimit) {
        this.in = new Metered(in);
        this.headerLimit = headerLimit;
    }

    /**
     * The next entry, or {@code null} at the end.
     *
     * @throws IOException its header cannot be read or is too large
     */
    @Nullable
    TarArchiveEntry next() throws IOException {
        in.skipNBytes(content + padding);
        content = 0;
        padding = 0;
        in.left = headerLimit;
        TarArchiveEntry entry;
        try {
            // Not closed, for that would close the stream below.
            entry = new TarArchiveInputStream(in).getNextEntry();
        } catch (RuntimeException e) {
            throw new IOException("it holds an entry with an unreadable header", e);
        }
        in.left = Long.MAX_VALUE;
        if (entry == null) {
            return null;
        }
        if (entry.isSparse()) {
            throw new IOException("it holds a sparse file, which image layers do not contain");
        }
        if (!entry.isDirectory()) {
            content = entry.getSize();
            padding = (RECORD - content % RECORD) % RECORD;
        }
        return entry;
    }

    /** The content of the current entry, which must not be longer than the limit. */
    byte[] content(int limit) throws IOException {
        byte[] bytes = in.readNBytes((int) Math.min(content, limit));
        content -= bytes.length;
        return bytes;
    }

    /** Ends with an error when a header takes more than it may. */
    private final class Metered extends CountedInputStream {

        private long left = Long.MAX_VALUE;

        Metered(InputStream in) {
            super(in);
        }

        @Override
        protected void count(long bytes) throws IOException {
            left -= bytes;
            if (left < 0) {
                throw new IOException("it holds an entry whose header is larger than %d bytes".formatted(headerLimit));
            }
        }
    }
}
