package io.capoa.lab.certificates;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import javax.security.auth.x500.X500Principal;

/** Encodes X.509 certificates and signs them with an EC or RSA key. */
final class X509Encoder {

    private static final Duration LONGEST_TOLERANCE = Duration.ofHours(1);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));
    private static final byte[] RSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 113549, 1, 1, 11), Der.none());

    private X509Encoder() {}

    static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** The extension that makes a certificate one of a CA. */
    static byte[] authority() {
        return Der.sequence(Der.oid(2, 5, 29, 19), Der.yes(), Der.octets(Der.sequence(Der.yes())));
    }

    /** An extension that is not critical. */
    static byte[] extension(byte[] oid, byte[] value) {
        return Der.sequence(oid, Der.octets(value));
    }

    /** A certificate of {@code key}. */
    static X509Certificate sign(
            PrivateKey signer,
            X500Principal issuer,
            X500Principal subject,
            PublicKey key,
            Duration valid,
            byte[]... extensions)
            throws GeneralSecurityException {
        boolean rsa = signer.getAlgorithm().equals("RSA");
        byte[] algorithm = rsa ? RSA_WITH_SHA256 : ECDSA_WITH_SHA256;
        byte[] content = Der.sequence(
                Der.tagged(0xa0, Der.integer(new byte[] {2})),
                serial(),
                algorithm,
                issuer.getEncoded(),
                validity(valid),
                subject.getEncoded(),
                key.getEncoded(),
                Der.tagged(0xa3, Der.sequence(extensions)));
        Signature signature = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
        signature.initSign(signer);
        signature.update(content);
        byte[] encoded = Der.sequence(content, algorithm, Der.bits(0, signature.sign()));
        var factory = CertificateFactory.getInstance("X.509");
        return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded));
    }

    private static byte[] serial() {
        return Der.integer(
                new BigInteger(62, new SecureRandom()).add(BigInteger.ONE).toByteArray());
    }

    /** From a little earlier than now on, for clocks that are late. */
    private static byte[] validity(Duration valid) {
        Instant now = Instant.now();
        Duration tenth = valid.dividedBy(10);
        Duration tolerance = tenth.compareTo(LONGEST_TOLERANCE) < 0 ? tenth : LONGEST_TOLERANCE;
        return Der.sequence(Der.utcTime(TIME.format(now.minus(tolerance))), Der.utcTime(TIME.format(now.plus(valid))));
    }
}
