package io.capoa.lab.certificates;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.security.auth.x500.X500Principal;

/**
 * A CA that signs certificates of clients.
 *
 * @param keys an EC P-256 pair: signing takes a millisecond
 */
public record ClientAuthority(KeyPair keys, X509Certificate certificate) {

    private static final Duration VALID = Duration.ofDays(3650);
    private static final byte[] EXTENDED_KEY_USAGE = Der.oid(2, 5, 29, 37);
    private static final byte[] CLIENT_AUTHENTICATION = Der.oid(1, 3, 6, 1, 5, 5, 7, 3, 2);

    /** A CA with keys of its own, valid for ten years. */
    public static ClientAuthority create(X500Principal name) throws GeneralSecurityException {
        KeyPair keys = X509Encoder.newKeys();
        return new ClientAuthority(
                keys,
                X509Encoder.sign(keys.getPrivate(), name, name, keys.getPublic(), VALID, X509Encoder.authority()));
    }

    /** A certificate with which a client authenticates itself, valid for ten years. */
    public X509Certificate issue(X500Principal subject, PublicKey key) throws GeneralSecurityException {
        return X509Encoder.sign(
                keys.getPrivate(),
                certificate.getSubjectX500Principal(),
                subject,
                key,
                VALID,
                X509Encoder.extension(EXTENDED_KEY_USAGE, Der.sequence(CLIENT_AUTHENTICATION)));
    }

    /**
     * Whether this CA has signed a certificate, and it is valid now. The JDK keeps the result with the object, so only the
     * first call costs a verification.
     */
    public boolean hasIssued(X509Certificate candidate) {
        try {
            candidate.checkValidity();
            candidate.verify(keys.getPublic());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
