package io.capoa.lab.certificates;

import java.math.BigInteger;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.Base64;
import java.util.stream.Stream;

/** Writes certificates and private keys as PEM text. */
public final class Pem {

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

    static String of(String kind, byte[] content) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, body);
    }
}
