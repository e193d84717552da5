package io.capoa.lab.certificates;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * A self-signed server certificate for DNS names, 127.0.0.1 and localhost, which is its own CA.
 *
 * @param keys an EC P-256 pair, unless another was asked for
 */
public record SelfSigned(KeyPair keys, X509Certificate certificate) {

    private static final Duration VALID = Duration.ofDays(365);
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    /** For this machine only, valid for a year. */
    public static SelfSigned create(String commonName) throws GeneralSecurityException {
        return create(commonName, List.of(), VALID);
    }

    /** Also for DNS names. */
    public static SelfSigned create(String commonName, Collection<String> dnsNames, Duration valid)
            throws GeneralSecurityException {
        return create(commonName, dnsNames, valid, X509Encoder.newKeys());
    }

    /** With a pair of keys, RSA or EC. */
    public static SelfSigned create(String commonName, Collection<String> dnsNames, Duration valid, KeyPair keys)
            throws GeneralSecurityException {
        X500Principal name =
                new X500Principal(Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.text(commonName)))));
        byte[] names = X509Encoder.extension(Der.oid(2, 5, 29, 17), Der.sequence(alternatives(dnsNames)));
        return new SelfSigned(
                keys,
                X509Encoder.sign(
                        keys.getPrivate(), name, name, keys.getPublic(), valid, X509Encoder.authority(), names));
    }

    private static byte[][] alternatives(Collection<String> dnsNames) {
        List<byte[]> alternatives = new ArrayList<>();
        Stream.concat(dnsNames.stream(), Stream.of("localhost"))
                .distinct()
                .forEach(name -> alternatives.add(Der.tagged(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII))));
        alternatives.add(Der.tagged(IP_ADDRESS, new byte[] {127, 0, 0, 1}));
        return alternatives.toArray(byte[][]::new);
    }

    /** The certificate as PEM text. */
    public String pem() throws GeneralSecurityException {
        return Pem.of(certificate);
    }

    /** The private key as PEM text, in PKCS #8. */
    public String keyPem() {
        return Pem.of("PRIVATE KEY", keys.getPrivate().getEncoded());
    }

    /** TLS context of a server with this certificate. */
    public SSLContext serverContext() throws GeneralSecurityException, IOException {
        return context(null);
    }

    /** TLS context of a server that asks clients for a certificate. */
    public SSLContext serverContext(TrustManager clients) throws GeneralSecurityException, IOException {
        return context(clients);
    }

    private SSLContext context(@Nullable TrustManager clients) throws GeneralSecurityException, IOException {
        char[] password = "in-memory".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", keys.getPrivate(), password, new Certificate[] {certificate});
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), clients == null ? null : new TrustManager[] {clients}, null);
        return context;
    }
}
