package io.capoa.runtime.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the current certificate for every new connection. An alias stands for one pair of certificate and key, so
 * that a running handshake does not mix two pairs.
 */
final class CertificateChoice extends X509ExtendedKeyManager {

    private record Offered(long number, ServingCertificate certificate) {}

    private final Certificates certificates;
    private final AtomicLong count = new AtomicLong();
    private final Map<String, ServingCertificate> byAlias = new ConcurrentHashMap<>();
    private @Nullable Offered newest;

    CertificateChoice(Certificates certificates) {
        this.certificates = certificates;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        Offered offered = offer();
        return offered != null && offered.certificate().algorithm().equals(keyType)
                ? Long.toString(offered.number())
                : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        ServingCertificate certificate = byAlias.get(alias);
        return certificate == null ? null : certificate.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        ServingCertificate certificate = byAlias.get(alias);
        return certificate == null ? null : certificate.key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        Offered offered = offer();
        return offered == null
                ? null
                : Stream.of(offered).map(o -> Long.toString(o.number())).toArray(String[]::new);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    /** Keeps the newest pair and the one before, for the handshakes that have just chosen it. */
    private synchronized @Nullable Offered offer() {
        ServingCertificate certificate = certificates.certificate();
        if (certificate == null) {
            return null;
        }
        Offered offered = newest;
        if (offered == null || !offered.certificate().equals(certificate)) {
            offered = new Offered(count.incrementAndGet(), certificate);
            newest = offered;
            byAlias.put(Long.toString(offered.number()), certificate);
            byAlias.remove(Long.toString(offered.number() - 2));
        }
        return offered;
    }
}
