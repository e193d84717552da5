package io.capoa.lab.certificates;

import java.math.BigInteger;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;

/** Writes certificates and private keys as PEM text. */
public final class Pem {

    private static final int P256_NUMBER = 32;
    /** Uncompressed: a byte that says so, and two numbers. */
    private static final int P256_POINT = 1 + 2 * P256_NUMBER;

    private Pem() {}

    public static String of(X509Certificate certificate) throws CertificateEncodingException {
        return of("CERTIFICATE", certificate.getEncoded());
    }

    /** A key as Go programs write it: in PKCS #1 (RFC 8017, {@code RSAPrivateKey}), which Java itself does not. */
    public static String of(RSAPrivateCrtKey key) {
        byte[][] numbers = Stream.of(
                        BigInteger.ZERO,
                        key.getModulus(),
                        key.getPublicExponent(),
                        key.getPrivateExponent(),
                        key.getPrimeP(),
                        key.getPrimeQ(),
                        key.getPrimeExponentP(),
                        key.getPrimeExponentQ(),
                        key.getCrtCoefficient())
                .map(number -> Der.integer(number.toByteArray()))
                .toArray(byte[][]::new);
        return of("RSA PRIVATE KEY", Der.sequence(numbers));
    }

    /** A P-256 key as Go programs write it: in SEC 1 (RFC 5915, {@code ECPrivateKey}), with curve and public key. */
    public static String of(ECPrivateKey key, ECPublicKey owner) {
        byte[] info = owner.getEncoded();
        byte[] point = Arrays.copyOfRange(info, info.length - P256_POINT, info.length);
        return of(
                "EC PRIVATE KEY",
                Der.sequence(
                        Der.integer(new byte[] {1}),
                        Der.octets(unsigned(key.getS(), P256_NUMBER)),
                        Der.tagged(0xa0, Der.oid(1, 2, 840, 10045, 3, 1, 7)),
                        Der.tagged(0xa1, Der.bits(0, point))));
    }

    /** Big-endian, with zeros in front. */
    private static byte[] unsigned(BigInteger number, int length) {
        byte[] signed = number.toByteArray();
        byte[] padded = new byte[length];
        int used = Math.min(signed.length, length);
        System.arraycopy(signed, signed.length - used, padded, length - used, used);
        return padded;
    }

    static String of(String kind, byte[] content) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, body);
    }
}
