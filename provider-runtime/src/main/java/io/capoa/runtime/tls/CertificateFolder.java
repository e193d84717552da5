package io.capoa.runtime.tls;

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
 * The folder that the Secret with the serving certificate is mounted to. Files that appear late or are replaced are
 * noticed. While they are unusable, the last usable certificate stays in use.
 */
final class CertificateFolder implements Certificates {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateFolder.class);

    private final Path folder;
    private final String what;
    private final String remedy;
    private final Clock clock;
    private final WatchedFiles files;
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
        this.files = new WatchedFiles(
                List.of(folder.resolve(ServingCertificate.CERTIFICATE), folder.resolve(ServingCertificate.KEY)));
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
        if (files.changed()) {
            read();
        }
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
}
