package io.capoa.runtime.tls;

import io.capoa.api.untrusted.UntrustedContent;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies the certificates of clients by the authorities in a file, which may appear and change at any time. Without a
 * usable file nobody is trusted.
 */
final class ClientAuthorities extends X509ExtendedTrustManager {

    private static final Logger LOG = LoggerFactory.getLogger(ClientAuthorities.class);

    private final Path file;
    private final WatchedFiles watched;
    private @Nullable X509TrustManager current;

    ClientAuthorities(Path file) {
        this.file = file;
        this.watched = new WatchedFiles(List.of(file));
    }

    /** Why no client is trusted, and the remedy; empty if some are. */
    Optional<String> problem() {
        return current() == null
                ? Optional.of(file + " holds no certificates of authorities in PEM, so that no client is trusted."
                        + " Mount them there, or leave out --webhook-client-ca-file")
                : Optional.empty();
    }

    private synchronized @Nullable X509TrustManager current() {
        if (watched.changed()) {
            try {
                List<X509Certificate> authorities = UntrustedContent.certificates(Files.readAllBytes(file));
                current = authorities.isEmpty() ? null : ServerTrust.only(authorities);
                LOG.info("Clients are verified by the {} authorities in {}", authorities.size(), file);
            } catch (IOException | GeneralSecurityException e) {
                current = null;
                LOG.warn("{} holds no certificates of authorities: {}", file, e.getMessage());
            }
        }
        return current;
    }

    private void check(X509Certificate[] chain, String type) throws CertificateException {
        X509TrustManager authorities = current();
        if (authorities == null) {
            throw new CertificateException("no client is trusted");
        }
        authorities.checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain, type);
    }

    /** None: the names of many authorities would make the handshake long. */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw new CertificateException("this is a server");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw new CertificateException("this is a server");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("this is a server");
    }
}
