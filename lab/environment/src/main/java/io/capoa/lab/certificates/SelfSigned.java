package io.capoa.lab.certificates;

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
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A self-signed server certificate for DNS names, 127.0.0.1 and localhost, which is its own CA.
 *
 * @param keys an EC P-256 pair
 */
public record SelfSigned(KeyPair keys, X509Certificate certificate) {

    private static final Duration VALID = Duration.ofDays(365);
    private static final Duration LONGEST_TOLERANCE = Duration.ofHours(1);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));

    /** For this machine only, valid for a year. */
    public static SelfSigned create(String commonName) throws GeneralSecurityException {
        return create(commonName, List.of(), VALID);
    }

    /** Also for DNS names. */
    public static SelfSigned create(String commonName, Collection<String> dnsNames, Duration valid)
            throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        byte[] signed = toBeSigned(commonName, dnsNames, valid, keys);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(signed);
        byte[] encoded = Der.sequence(signed, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
        var factory = CertificateFactory.getInstance("X.509");
        return new SelfSigned(keys, (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded)));
    }

    private static byte[] toBeSigned(String commonName, Collection<String> dnsNames, Duration valid, KeyPair keys) {
        Instant now = Instant.now();
        // Tolerates clock skew.
        Duration tenth = valid.dividedBy(10);
        Duration tolerance = tenth.compareTo(LONGEST_TOLERANCE) < 0 ? tenth : LONGEST_TOLERANCE;
        byte[] name = Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.text(commonName))));
        byte[] version = Der.tagged(0xa0, Der.integer(new byte[] {2}));
        byte[] serial = Der.integer(
                new BigInteger(62, new SecureRandom()).add(BigInteger.ONE).toByteArray());
        byte[] validity =
                Der.sequence(Der.utcTime(TIME.format(now.minus(tolerance))), Der.utcTime(TIME.format(now.plus(valid))));
        byte[] authority = Der.sequence(Der.oid(2, 5, 29, 19), Der.yes(), Der.octets(Der.sequence(Der.yes())));
        byte[] names = Der.sequence(Der.oid(2, 5, 29, 17), Der.octets(Der.sequence(alternatives(dnsNames))));
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
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    /** The private key as PEM text, in PKCS #8. */
    public String keyPem() {
        return pem("PRIVATE KEY", keys.getPrivate().getEncoded());
    }

    private static String pem(String kind, byte[] content) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, body);
    }

    /** TLS context of a server with this certificate. */
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
