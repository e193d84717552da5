package io.capoa.lab.workload;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate that signs itself, for 127.0.0.1 and localhost: server certificate and its own authority in one.
 *
 * @param keys an EC P-256 pair
 */
public record SelfSigned(KeyPair keys, X509Certificate certificate) {

    private static final Duration VALID = Duration.ofDays(365);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));

    /** Makes a pair of keys and signs them. */
    public static SelfSigned create(String commonName) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        byte[] signed = toBeSigned(commonName, keys);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(signed);
        byte[] encoded = Der.sequence(signed, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
        var factory = CertificateFactory.getInstance("X.509");
        return new SelfSigned(keys, (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded)));
    }

    private static byte[] toBeSigned(String commonName, KeyPair keys) {
        Instant now = Instant.now();
        byte[] name = Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.text(commonName))));
        byte[] version = Der.tagged(0xa0, Der.integer(new byte[] {2}));
        byte[] serial = Der.integer(
                new BigInteger(62, new SecureRandom()).add(BigInteger.ONE).toByteArray());
        byte[] validity = Der.sequence(
                Der.utcTime(TIME.format(now.minus(Duration.ofHours(1)))), Der.utcTime(TIME.format(now.plus(VALID))));
        byte[] authority = Der.sequence(Der.oid(2, 5, 29, 19), Der.yes(), Der.octets(Der.sequence(Der.yes())));
        byte[] names = Der.sequence(
                Der.oid(2, 5, 29, 17),
                Der.octets(Der.sequence(
                        Der.tagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
                        Der.tagged(0x87, new byte[] {127, 0, 0, 1}))));
        byte[] extensions = Der.tagged(0xa3, Der.sequence(authority, names));
        return Der.sequence(
                version,
                serial,
                ECDSA_WITH_SHA256,
                name,
                validity,
                name,
                keys.getPublic().getEncoded(),
                extensions);
    }

    /** The certificate as PEM text. */
    public String pem() throws GeneralSecurityException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
        return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
    }

    /** What a server needs to present this certificate. */
    public SSLContext serverContext() throws GeneralSecurityException, java.io.IOException {
        char[] password = "in-memory".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", keys.getPrivate(), password, new Certificate[] {certificate});
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
