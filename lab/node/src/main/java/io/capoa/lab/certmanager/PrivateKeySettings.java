package io.capoa.lab.certmanager;

import io.capoa.lab.certificates.Pem;
import io.capoa.lab.certificates.SelfSigned;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The key that a Certificate asks for in {@code spec.privateKey}: RSA with 2048 bits, cert-manager's default, or ECDSA
 * with 256.
 *
 * @param algorithm as the JDK names it, {@code RSA} or {@code EC}
 * @param pkcs8 whether it is written in PKCS #8; otherwise in PKCS #1 or SEC 1, cert-manager's default
 */
record PrivateKeySettings(String algorithm, boolean pkcs8) {

    private static final int RSA_BITS = 2048;
    private static final int EC_BITS = 256;

    static PrivateKeySettings of(@Nullable Map<?, ?> wanted) {
        return new PrivateKeySettings(
                wanted != null && "ECDSA".equals(wanted.get("algorithm")) ? "EC" : "RSA",
                wanted != null && "PKCS8".equals(wanted.get("encoding")));
    }

    /** A new pair: the stand-in makes one for each certificate, as with {@code rotationPolicy: Always}. */
    KeyPair generate() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(algorithm.equals("EC") ? EC_BITS : RSA_BITS);
        return generator.generateKeyPair();
    }

    boolean fits(X509Certificate certificate) {
        return certificate.getPublicKey().getAlgorithm().equals(algorithm);
    }

    /** The key as PEM text. */
    String pem(SelfSigned issued) {
        PrivateKey key = issued.keys().getPrivate();
        if (!pkcs8 && key instanceof RSAPrivateCrtKey rsa) {
            return Pem.of(rsa);
        }
        return !pkcs8 && key instanceof ECPrivateKey ec
                ? Pem.of(ec, (ECPublicKey) issued.keys().getPublic())
                : issued.keyPem();
    }
}
