package io.capoa.runtime.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder that the Secret with the serving certificate is mounted to. It is read on demand, at most a few times a
 * second, so that files that appear late or are replaced (the kubelet swaps a symbolic link) are noticed. While the
 * files are unusable, the last usable certificate stays in use.
 */
final class CertificateFolder implements Certificates {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateFolder.class);
    private static final long LOOK_AGAIN_NANOS = 200_000_000;

    private final Path folder;
    private final String what;
    private final String remedy;
    private final Clock clock;
    private boolean looked;
    private long lookedAt;
    private List<String> seen = List.of();
    private @Nullable ServingCertificate current;
    private @Nullable String unusable;

    /**
     * @param what is served with it, in the plural
     * @param remedy sentence on how the files come to be
     */
    CertificateFolder(Path folder, String what, String remedy, Clock clock) {
        this.folder = folder;
        this.what = what;
        this.remedy = remedy;
        this.clock = clock;
    }

    @Override
    public synchronized @Nullable ServingCertificate certificate() {
        look();
        return current;
    }

    /** Why connections fail, and the remedy; empty if they succeed. */
    synchronized Optional<String> problem() {
        look();
        ServingCertificate certificate = current;
        if (certificate == null) {
            return Optional.of(unusable == null ? missing() : unusable + ". " + remedy);
        }
        if (clock.instant().isAfter(certificate.expires())) {
            return Optional.of(
                    "the certificate in " + folder.resolve(ServingCertificate.CERTIFICATE) + " has expired on "
                            + certificate.expires()
                            + (unusable == null ? "" : ", and its replacement cannot be used: " + unusable)
                            + ". " + remedy);
        }
        return Optional.empty();
    }

    private void look() {
        if (looked && System.nanoTime() - lookedAt < LOOK_AGAIN_NANOS) {
            return;
        }
        List<String> found = fingerprint();
        if (!looked || !found.equals(seen)) {
            read();
        }
        looked = true;
        lookedAt = System.nanoTime();
        seen = found;
    }

    private void read() {
        if (!absent().isEmpty()) {
            unusable = null;
            return;
        }
        try {
            ServingCertificate certificate = ServingCertificate.read(folder);
            current = certificate;
            unusable = null;
            LOG.info("{} are served with the certificate in {}, valid until {}", what, folder, certificate.expires());
        } catch (ServingCertificate.Unusable e) {
            unusable = e.getMessage();
            LOG.warn("{}{}", e.getMessage(), current == null ? "" : "; the certificate before stays in use");
        }
    }

    private String missing() {
        return absent().stream().map(Path::toString).collect(Collectors.joining(" and ")) + " missing. " + remedy;
    }

    private List<Path> absent() {
        return Stream.of(ServingCertificate.CERTIFICATE, ServingCertificate.KEY)
                .map(folder::resolve)
                .filter(file -> !Files.exists(file))
                .toList();
    }

    /** Changes whenever a file is written, replaced or reached by another link. */
    private List<String> fingerprint() {
        return Stream.of(ServingCertificate.CERTIFICATE, ServingCertificate.KEY)
                .map(folder::resolve)
                .map(file -> {
                    try {
                        return file.toRealPath() + " " + Files.getLastModifiedTime(file) + " " + Files.size(file);
                    } catch (IOException absent) {
                        return "";
                    }
                })
                .toList();
    }
}
