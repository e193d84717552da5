package io.capoa.runtime.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A server's certificate with its key.
 *
 * @param chain the server's own certificate first
 */
record ServingCertificate(List<X509Certificate> chain, PrivateKey key) {

    static final String CERTIFICATE = "tls.crt";
    static final String KEY = "tls.key";

    /** The files cannot serve; the message is a sentence that names them. */
    static final class Unusable extends Exception {
        Unusable(String message) {
            super(message);
        }
    }

    ServingCertificate {
        chain = List.copyOf(chain);
    }

    /** Reads {@code tls.crt} and {@code tls.key}: PEM, the key RSA or EC in PKCS#1, SEC 1 or PKCS#8. */
    static ServingCertificate read(Path folder) throws Unusable {
        Path certificate = folder.resolve(CERTIFICATE);
        Path key = folder.resolve(KEY);
        List<X509Certificate> chain = chain(certificate);
        if (chain.isEmpty()) {
            throw new Unusable(certificate + " holds no certificate in PEM");
        }
        PrivateKey secret = key(key, chain);
        if (!belongTogether(chain.getFirst(), secret)) {
            throw new Unusable(key + " is not the key of the certificate in " + certificate
                    + ": both have to come from the same Secret");
        }
        return new ServingCertificate(chain, secret);
    }

    /** When clients cease to trust it. */
    Instant expires() {
        return chain.getFirst().getNotAfter().toInstant();
    }

    /** {@code RSA} or {@code EC}, as key managers are asked for. */
    String algorithm() {
        return key.getAlgorithm();
    }

    private static List<X509Certificate> chain(Path file) throws Unusable {
        try {
            return CertificateFactory.getInstance("X.509").generateCertificates(bytes(file)).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new Unusable(file + " holds no certificate in PEM");
        }
    }

    private static PrivateKey key(Path file, List<X509Certificate> chain) throws Unusable {
        String algorithm = chain.getFirst().getPublicKey().getAlgorithm();
        if (!algorithm.equals("RSA") && !algorithm.equals("EC")) {
            throw new Unusable(file.resolveSibling(CERTIFICATE) + " is a certificate for a key of type " + algorithm
                    + ": RSA and EC are known");
        }
        try {
            return PrivateKeys.read(bytes(file).readAllBytes(), chain.getFirst().getPublicKey());
        } catch (GeneralSecurityException e) {
            throw new Unusable(file + " holds no " + algorithm + " key in PEM, or one with a password");
        }
    }

    private static ByteArrayInputStream bytes(Path file) throws Unusable {
        try {
            return new ByteArrayInputStream(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new Unusable(file + " cannot be read");
        }
    }

    private static boolean belongTogether(X509Certificate certificate, PrivateKey key) throws Unusable {
        String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
        byte[] text = {1, 2, 3};
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(text);
            byte[] signature = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(certificate.getPublicKey());
            verifier.update(text);
            return verifier.verify(signature);
        } catch (SignatureException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new Unusable("the key of " + certificate.getSubjectX500Principal() + " cannot sign: " + e);
        }
    }
}
