package io.capoa.runtime.tls;

import io.capoa.api.untrusted.UntrustedContent;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** The one certificate by which a client is known. It is shown to every server that asks for one of its algorithm. */
public final class ClientCertificate extends X509ExtendedKeyManager {

    private static final String ALIAS = "client";

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    private ClientCertificate(List<X509Certificate> chain, PrivateKey key) {
        this.chain = List.copyOf(chain);
        this.key = key;
    }

    /**
     * Reads a certificate and its key.
     *
     * @param certificates PEM, the client's own certificate first
     * @param key PEM: RSA or EC in PKCS#1, SEC 1 or PKCS#8
     * @throws GeneralSecurityException if one of them cannot be read; the message does not quote them
     */
    public static ClientCertificate of(byte[] certificates, byte[] key) throws GeneralSecurityException {
        List<X509Certificate> chain = UntrustedContent.certificates(certificates);
        if (chain.isEmpty()) {
            throw new CertificateException("no certificate in PEM");
        }
        return new ClientCertificate(
                chain, PrivateKeys.read(key, chain.getFirst().getPublicKey()));
    }

    /** The client's own certificate first. */
    public List<X509Certificate> chain() {
        return chain;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return Arrays.asList(keyTypes).contains(key.getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return alias.equals(ALIAS) ? chain.toArray(X509Certificate[]::new) : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return alias.equals(ALIAS) ? key : null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return keyType.equals(key.getAlgorithm()) ? new String[] {ALIAS} : null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
