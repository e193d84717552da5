package io.capoa.controlplane.release;

import io.capoa.runtime.untrusted.CountedInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/** Unpacks a layer while it downloads; a result counts only if the whole layer has the expected digest. */
final class LayerStream {

    private LayerStream() {}

    /** A connection that broke, as opposed to bytes that make no sense. */
    private static final class Broken extends UncheckedIOException {
        @Serial
        private static final long serialVersionUID = 1;

        Broken(IOException cause) {
            super(cause);
        }
    }

    /**
     * Searches the layer for a path.
     *
     * @param unpacked what may come out of this layer and others of the release
     * @param damaged makes an error of what is wrong with the bytes
     * @throws IOException the connection broke
     */
    static LayerSearch.Result search(
            InputStream blob,
            Manifest.Layer layer,
            String path,
            RegistryLimits limits,
            Quota unpacked,
            Function<IOException, RegistryException> damaged)
            throws IOException, RegistryException {
        Quota compressed = new Quota("the layer", limits.layer());
        var digested = new DigestInputStream(limited(new Connection(blob), compressed), Fingerprint.digest());
        LayerSearch.Result result;
        try {
            InputStream packed = new BufferedInputStream(digested);
            InputStream tar = isGzip(packed) ? new Unpacked(new GZIPInputStream(packed, 1 << 16), compressed) : packed;
            result = LayerSearch.search(limited(tar, unpacked), path, limits);
            packed.transferTo(OutputStream.nullOutputStream());
        } catch (Broken e) {
            throw e.getCause();
        } catch (IOException e) {
            throw damaged.apply(e);
        }
        String digest = Fingerprint.format(digested.getMessageDigest().digest());
        if (!digest.equals(layer.digest())) {
            throw damaged.apply(new IOException("it has digest " + digest));
        }
        return result;
    }

    private static boolean isGzip(InputStream in) throws IOException {
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip;
    }

    /** Ends a bomb long before its end: files of programs become ten times as large, those of zeros a thousand times. */
    private static final class Unpacked extends CountedInputStream {

        private static final int RATIO = 200;
        private static final long FREE = 16 << 20;

        private final Quota compressed;
        private long all;

        Unpacked(InputStream in, Quota compressed) {
            super(in);
            this.compressed = compressed;
        }

        @Override
        protected void count(long bytes) throws IOException {
            all += bytes;
            if (all > FREE && all > RATIO * compressed.used()) {
                throw new IOException("it unpacks to more than %d times its size".formatted(RATIO));
            }
        }
    }

    /** Marks errors of the connection, so that they are not taken for errors of the content. */
    private static final class Connection extends InputStream {

        private final InputStream in;

        Connection(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() {
            try {
                return in.read();
            } catch (IOException e) {
                throw new Broken(e);
            }
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            try {
                return in.read(buffer, offset, length);
            } catch (IOException e) {
                throw new Broken(e);
            }
        }
    }

    /** Fails when the stream exceeds its quota, instead of ending silently. */
    private static InputStream limited(InputStream in, Quota quota) {
        return new CountedInputStream(in) {
            @Override
            protected void count(long bytes) throws IOException {
                quota.use(bytes);
            }
        };
    }
}
