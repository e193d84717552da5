package io.capoa.lab.certmanager;

import io.capoa.lab.certificates.SelfSigned;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The Secret of a Certificate. */
final class CertificateSecret {

    /** cert-manager's label of the Secrets that it manages. */
    static final String LABEL = "controller.cert-manager.io/fao";

    private static final String NAME = "cert-manager.io/certificate-name";
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    static final String AUTHORITY = "ca.crt";

    private static final int DNS_NAME = 2;

    private CertificateSecret() {}

    static Secret of(String namespace, String name, String certificate, SelfSigned issued, String key)
            throws GeneralSecurityException {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(Map.of(LABEL, "true"))
                .withAnnotations(Map.of(NAME, certificate))
                .endMetadata()
                .withType("kubernetes.io/tls")
                .withData(Map.of(CERTIFICATE, base64(issued.pem()), KEY, base64(key), AUTHORITY, base64(issued.pem())))
                .build();
    }

    /** The certificate in a complete Secret; empty otherwise. */
    static Optional<X509Certificate> read(@Nullable Secret secret) {
        if (secret == null
                || secret.getData() == null
                || !secret.getData().keySet().containsAll(Set.of(CERTIFICATE, KEY, AUTHORITY))) {
            return Optional.empty();
        }
        try {
            byte[] pem = Base64.getDecoder().decode(secret.getData().get(CERTIFICATE));
            return Optional.of((X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether a certificate covers all of these names. */
    static boolean covers(X509Certificate certificate, Collection<String> dnsNames) {
        try {
            Set<String> covered = new HashSet<>();
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> alternative : alternatives) {
                    if (Integer.valueOf(DNS_NAME).equals(alternative.get(0))) {
                        covered.add(String.valueOf(alternative.get(1)));
                    }
                }
            }
            return covered.containsAll(dnsNames);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /**
     * Renewal time, as in cert-manager.
     *
     * @param before its {@code renewBefore}; without one, or with one as long as its lifetime, after two thirds of that
     */
    static Instant renewal(X509Certificate certificate, Optional<Duration> before) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant to = certificate.getNotAfter().toInstant();
        Duration lifetime = Duration.between(from, to);
        return to.minus(before.filter(asked -> asked.compareTo(lifetime) < 0).orElse(lifetime.dividedBy(3)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
