package io.capoa.controlplane.release;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/** Unpacks a layer while it comes in, and believes what it found only when the whole layer has the promised digest. */
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
     * @param damaged makes an error of what is wrong with the bytes
     * @throws IOException the connection broke
     */
    static LayerSearch.Result search(
            InputStream blob,
            Manifest.Layer layer,
            String path,
            Limits limits,
            Function<IOException, RegistryException> damaged)
            throws IOException, RegistryException {
        var digested = new DigestInputStream(
                new LimitedInputStream(new Connection(blob), "the layer", limits.layer()), Fingerprint.digest());
        LayerSearch.Result result;
        try {
            InputStream packed = new BufferedInputStream(digested);
            InputStream tar = isGzip(packed) ? new GZIPInputStream(packed, 1 << 16) : packed;
            result = LayerSearch.search(
                    new LimitedInputStream(tar, "the unpacked layer", limits.unpacked()), path, limits.file());
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
}
