package io.capoa.lab.certmanager;

import io.capoa.lab.certificates.SelfSigned;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reconciles Certificates: keeps a valid key pair in their Secret. */
final class CertificateController {

    private static final Duration USUAL = Duration.ofDays(90);
    private static final int LONGEST_COMMON_NAME = 64;
    private static final Pattern GO_DURATION = Pattern.compile("(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?");

    private final KubernetesClient client;
    private final Writes writes;
    private final Issuers issuers;
    private final Caches.Cache<GenericKubernetesResource> certificates;
    private final Caches.Cache<Secret> secrets;

    CertificateController(
            KubernetesClient client,
            Writes writes,
            Issuers issuers,
            Caches.Cache<GenericKubernetesResource> certificates,
            Caches.Cache<Secret> secrets) {
        this.client = client;
        this.writes = writes;
        this.issuers = issuers;
        this.certificates = certificates;
        this.secrets = secrets;
    }

    /**
     * Issues a certificate if it is missing, due for renewal, for other names or with another key; returns the time until
     * the renewal.
     */
    @Nullable
    Duration work(Key key) throws GeneralSecurityException {
        GenericKubernetesResource certificate = certificates.get(key);
        if (certificate == null || certificate.getMetadata().getDeletionTimestamp() != null) {
            return null;
        }
        Map<?, ?> issuer = Objects.requireNonNullElse(certificate.get("spec", "issuerRef"), Map.of());
        Optional<String> problem = issuers.problem(key.namespace(), issuer);
        if (problem.isPresent()) {
            report(certificate, "False", "Pending", problem.get(), null);
            return null;
        }
        List<String> names = Objects.requireNonNullElse(certificate.get("spec", "dnsNames"), List.of());
        Key secret = new Key(key.namespace(), String.valueOf(certificate.<Object>get("spec", "secretName")));
        PrivateKeySettings settings = PrivateKeySettings.of(certificate.get("spec", "privateKey"));
        Optional<Duration> before = duration(certificate.get("spec", "renewBefore"));
        // Not twice: a server that has read the first one would not be trusted any more.
        Optional<X509Certificate> present = usable(secrets.get(secret), names, settings, before)
                .or(() -> usable(
                        client.secrets()
                                .inNamespace(secret.namespace())
                                .withName(secret.name())
                                .get(),
                        names,
                        settings,
                        before));
        X509Certificate good = present.isPresent() ? present.get() : issue(key, secret, certificate, names, settings);
        report(certificate, "True", "Ready", "Certificate is up to date and has not expired", good);
        return Duration.between(Instant.now(), CertificateSecret.renewal(good, before));
    }

    private static Optional<X509Certificate> usable(
            @Nullable Secret secret, List<String> names, PrivateKeySettings settings, Optional<Duration> before) {
        return CertificateSecret.read(secret)
                .filter(settings::fits)
                .filter(there -> CertificateSecret.covers(there, names))
                .filter(there -> Instant.now().isBefore(CertificateSecret.renewal(there, before)));
    }

    private X509Certificate issue(
            Key key, Key secret, GenericKubernetesResource certificate, List<String> names, PrivateKeySettings settings)
            throws GeneralSecurityException {
        String given = certificate.get("spec", "commonName");
        String name = given != null ? given : names.isEmpty() ? key.name() : names.getFirst();
        SelfSigned pair = SelfSigned.create(
                name.substring(0, Math.min(name.length(), LONGEST_COMMON_NAME)),
                names,
                duration(certificate.get("spec", "duration")).orElse(USUAL),
                settings.generate());
        Secret issued = CertificateSecret.of(secret.namespace(), secret.name(), key.name(), pair, settings.pem(pair));
        secrets.wrote(client.resource(issued)
                .fieldManager("cert-manager")
                .forceConflicts()
                .serverSideApply());
        return CertificateSecret.read(issued).orElseThrow();
    }

    private void report(
            GenericKubernetesResource certificate,
            String ready,
            String reason,
            String message,
            @Nullable X509Certificate good) {
        WorkingCopy<GenericKubernetesResource> working = new WorkingCopy<>(certificate);
        working.condition("Ready", ready, reason, message);
        if (good != null) {
            working.set(good.getNotBefore().toInstant().toString(), "status", "notBefore");
            working.set(good.getNotAfter().toInstant().toString(), "status", "notAfter");
            working.set(
                    CertificateSecret.renewal(good, duration(certificate.get("spec", "renewBefore")))
                            .toString(),
                    "status",
                    "renewalTime");
        }
        Map<String, Object> status = working.statusChange();
        if (!status.isEmpty()) {
            writes.patchStatus(certificate, status);
        }
    }

    /** Parses a Go duration of hours, minutes and seconds. */
    private static Optional<Duration> duration(@Nullable String text) {
        Matcher parts = GO_DURATION.matcher(text == null ? "" : text);
        if (text == null || text.isEmpty() || !parts.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofHours(number(parts.group(1)))
                .plusMinutes(number(parts.group(2)))
                .plusSeconds(number(parts.group(3))));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
