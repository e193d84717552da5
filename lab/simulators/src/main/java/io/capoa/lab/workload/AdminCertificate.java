package io.capoa.lab.workload;

import io.capoa.lab.certificates.ClientAuthority;
import io.capoa.lab.certificates.Pem;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPrivateCrtKey;
import javax.security.auth.x500.X500Principal;

/**
 * The client certificate of a cluster's administrator, signed as the OpenShift installer does
 * ({@code AdminKubeConfigClientCertKey}) by a signer that only this cluster trusts. Two simplifications save CPU time: the
 * signer's key is one of EC P-256 instead of RSA, and the certificates of all clusters have the same RSA key.
 */
final class AdminCertificate {

    /** Subject of the signer of every cluster. */
    static final X500Principal SIGNER = new X500Principal("CN=admin-kubeconfig-signer, OU=openshift");

    private static final X500Principal ADMINISTRATOR = new X500Principal("CN=system:admin, O=system:masters");

    /** Generated once a process: that takes a second, and on a starved machine half a minute. */
    private static final class Key {

        static final KeyPair PAIR = generate();
        static final String PEM = Pem.of((RSAPrivateCrtKey) PAIR.getPrivate());

        private static KeyPair generate() {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                generator.initialize(2048);
                return generator.generateKeyPair();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("cannot generate an RSA key", e);
            }
        }
    }

    private final ClientAuthority signer;
    private final String pem;

    AdminCertificate() {
        try {
            signer = ClientAuthority.create(SIGNER);
            pem = Pem.of(signer.issue(ADMINISTRATOR, Key.PAIR.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign the administrator's certificate", e);
        }
    }

    /** Generates the key, so that no installation has to wait for it. */
    static void prepare() {
        var unused = Key.PEM;
    }

    /** PEM of the certificate. */
    String pem() {
        return pem;
    }

    /** PEM of its key, in PKCS #1. */
    String key() {
        return Key.PEM;
    }

    /** Whether a certificate is valid and of this cluster's signer, which signs only the administrator's. */
    boolean identifies(X509Certificate presented) {
        return signer.hasIssued(presented);
    }
}
