package io.capoa.controlplane.workload.client;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts what another trust manager trusts, and keeps the certificates that the server showed last, unless they are not
 * trusted for another reason than their age. A resumed session shows none: they are those of the handshake that began it.
 */
final class ServedChain extends X509ExtendedTrustManager {

    private static final int MOST_CAUSES = 20;

    /** A check by the other trust manager. */
    private interface Check {
        void run() throws CertificateException;
    }

    private final X509ExtendedTrustManager trust;
    private volatile List<X509Certificate> last = List.of();

    ServedChain(X509ExtendedTrustManager trust) {
        this.trust = trust;
    }

    /** The server's own certificate first; empty if it has shown none. */
    List<X509Certificate> last() {
        return last;
    }

    /** Whether a connection failed because a certificate of the server has expired. */
    static boolean isExpired(Throwable failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .anyMatch(cause -> cause instanceof CertificateExpiredException);
    }

    private void keep(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run();
            last = inUse(chain);
        } catch (CertificateException e) {
            if (isExpired(e)) {
                last = List.of(chain);
            }
            throw e;
        }
    }

    /** Servers show certificates of authorities that have expired and are not needed, for the sake of old clients. */
    private static List<X509Certificate> inUse(X509Certificate[] chain) {
        return IntStream.range(0, chain.length)
                .filter(n -> n == 0 || isValid(chain[n]))
                .mapToObj(n -> chain[n])
                .toList();
    }

    private static boolean isValid(X509Certificate certificate) {
        try {
            certificate.checkValidity();
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        keep(chain, () -> trust.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        keep(chain, () -> trust.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        keep(chain, () -> trust.checkServerTrusted(chain, type));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw noServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw noServer();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw noServer();
    }

    private static CertificateException noServer() {
        return new CertificateException("this is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
