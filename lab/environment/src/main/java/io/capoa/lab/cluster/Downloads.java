package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Downloads release files and verifies their pinned checksums, from the publishers or a mirror of them. */
final class Downloads {

    /** Base address of a mirror, or {@code off}. */
    static final String VARIABLE = "CAPOA_DOWNLOADS";

    private static final int OK = 200;
    private static final int CHUNK = 1 << 16;

    private final Optional<String> mirror;
    private final Limits limits;

    Downloads(Optional<String> mirror, Limits limits) {
        this.mirror = mirror;
        this.limits = limits;
    }

    /** From where the environment says; empty if it switches downloads off. */
    static Optional<Downloads> of(Map<String, String> environment) {
        Optional<String> mirror = Optional.ofNullable(environment.get(VARIABLE)).filter(text -> !text.isBlank());
        return mirror.filter("off"::equals).isPresent()
                ? Optional.empty()
                : Optional.of(new Downloads(mirror, Limits.USUAL));
    }

    /** Address of a file: a mirror has the publishers' paths, each below the name of its host. */
    URI address(ReleaseFile file) {
        return mirror.map(base -> URI.create(base.replaceFirst("/$", "") + "/"
                        + file.location().getHost() + file.location().getPath()))
                .orElse(file.location());
    }

    /**
     * Writes the program to the target once its file has the pinned checksum.
     *
     * @throws DownloadFailure if the file was not received whole, or is not the pinned one
     * @throws IOException if it cannot be written
     */
    void fetch(ReleaseFile file, Path target, Progress progress) throws DownloadFailure, IOException {
        URI address = address(file);
        Path received = file.isArchive() ? target.resolveSibling(target.getFileName() + ".tar.gz") : target;
        try {
            String sha256 = receive(address, received, progress);
            if (!sha256.equals(file.sha256())) {
                throw DownloadFailure.ofFile(
                        "WRONG CHECKSUM: %s has SHA-256 %s, but lab/binaries/checksums.tsv pins %s. The file is not used"
                                .formatted(address, sha256, file.sha256()));
            }
            if (file.isArchive()) {
                TarGz.extract(received, file.tool().executable(), target);
            }
        } catch (DownloadFailure e) {
            Files.deleteIfExists(received);
            throw e;
        } finally {
            if (file.isArchive()) {
                Files.deleteIfExists(received);
            }
        }
    }

    private String receive(URI address, Path target, Progress progress) throws DownloadFailure, IOException {
        HttpURLConnection connection = open(address);
        try (InputStream in = answer(connection, address);
                OutputStream out = Files.newOutputStream(target)) {
            long size = connection.getContentLengthLong();
            if (size > limits.bytes()) {
                throw tooLarge(address);
            }
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] chunk = new byte[CHUNK];
            long received = 0;
            for (int n = read(in, chunk, address, received); n >= 0; n = read(in, chunk, address, received)) {
                received += n;
                if (received > limits.bytes()) {
                    throw tooLarge(address);
                }
                digest.update(chunk, 0, n);
                out.write(chunk, 0, n);
                progress.received(received, size);
            }
            if (received < size) {
                throw DownloadFailure.ofConnection(
                        "%s was cut off after %d of %d bytes".formatted(address, received, size), null);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        } finally {
            connection.disconnect();
        }
    }

    private HttpURLConnection open(URI address) throws IOException {
        if (!(address.toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new ClusterException(
                    "%s takes an http or https address, or off; this is neither: %s".formatted(VARIABLE, address));
        }
        connection.setConnectTimeout((int) limits.answer().toMillis());
        connection.setReadTimeout((int) limits.silence().toMillis());
        return connection;
    }

    /** The body of a successful answer; the limit also covers what has no timeout of its own, such as a name server. */
    private InputStream answer(HttpURLConnection connection, URI address) throws DownloadFailure {
        CompletableFuture<InputStream> answer = new CompletableFuture<>();
        Thread.ofVirtual().name("download").start(() -> {
            try {
                int status = connection.getResponseCode();
                if (status != OK) {
                    throw DownloadFailure.ofFile("%s answered %d".formatted(address, status));
                }
                answer.complete(connection.getInputStream());
            } catch (IOException | DownloadFailure | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get(limits.answer().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw unanswered(address, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DownloadFailure failure) {
                throw failure;
            }
            if (e.getCause() instanceof SocketTimeoutException) {
                throw unanswered(address, e);
            }
            throw DownloadFailure.ofConnection(
                    "%s cannot be reached (%s)".formatted(address.getHost(), reason(e.getCause())), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while downloading " + address + ".", e);
        }
    }

    private static int read(InputStream in, byte[] chunk, URI address, long received) throws DownloadFailure {
        try {
            return in.read(chunk);
        } catch (IOException e) {
            throw DownloadFailure.ofConnection(
                    "%s was cut off after %d bytes (%s)".formatted(address, received, reason(e)), e);
        }
    }

    private DownloadFailure unanswered(URI address, Throwable cause) {
        return DownloadFailure.ofConnection(
                "%s gave no answer within %s s".formatted(address.getHost(), seconds(limits.answer())), cause);
    }

    private DownloadFailure tooLarge(URI address) {
        return DownloadFailure.ofFile("%s is larger than %d MB".formatted(address, limits.bytes() >> 20));
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0
                ? String.valueOf(duration.toSeconds())
                : String.valueOf(duration.toMillis() / 1000.0);
    }

    private static String reason(@Nullable Throwable e) {
        return e == null ? "unknown" : e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    /**
     * When a download has failed. Time is limited until the answer and between two pieces, not as a whole: a slow line
     * may take as long as it needs.
     *
     * @param answer longest wait until the answer begins
     * @param silence longest wait for the next piece
     * @param bytes size of the largest file that is received
     */
    record Limits(Duration answer, Duration silence, long bytes) {

        static final Limits USUAL = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), 256L << 20);
    }

    /** Follows a download. */
    @FunctionalInterface
    interface Progress {

        /**
         * Called after every piece.
         *
         * @param size of the file; negative if unknown
         */
        void received(long bytes, long size);
    }
}
