package io.capoa.bootstrap.boot;

import io.capoa.runtime.client.ByName;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Secret that the Go provider's manual names for the CA of assisted-service. Unless another place is configured,
 * it is read when a server is not trusted; it is not watched, because most sites have none.
 */
public final class UsualCaBundle implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(UsualCaBundle.class);
    private static final CaBundle.Location PLACE =
            new CaBundle.Location(false, "assisted-installer", "assisted-installer-ca", "ca.crt");
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final IgnitionDownloads downloads;
    private final Clock clock;
    private final AtomicReference<Instant> next = new AtomicReference<>(Instant.EPOCH);
    private @Nullable String seen;

    /** Looks for nothing yet. */
    public UsualCaBundle(KubernetesClient client, IgnitionDownloads downloads, Clock clock) {
        this.client = client;
        this.downloads = downloads;
        this.clock = clock;
    }

    /** Has the Secret looked for, now and then, and what is new in it trusted: then what failed is tried again. */
    @Override
    public void run() {
        Instant now = clock.instant();
        Instant due = next.get();
        if (!now.isBefore(due) && next.compareAndSet(due, now.plus(BETWEEN_LOOKS))) {
            Thread unused = Thread.ofVirtual().name("usual-ca-bundle").start(this::look);
        }
    }

    private synchronized void look() {
        try {
            Secret secret = ByName.select(client.secrets().inNamespace(PLACE.namespace()), PLACE.name())
                    .get();
            if (secret == null) {
                downloads.distrust("its certificate is not trusted: name the Secret or ConfigMap with the CA of"
                        + " assisted-service in ASSISTED_CA_BUNDLE_NAMESPACE and ASSISTED_CA_BUNDLE_NAME, or make "
                        + PLACE + " with it under ca.crt");
            } else if (!Objects.equals(secret.getMetadata().getResourceVersion(), seen)) {
                Collection<? extends Certificate> certificates = CaBundle.certificates(secret, PLACE.key());
                downloads.trust(TrustedCertificates.with(certificates));
                seen = secret.getMetadata().getResourceVersion();
                LOG.info("{} CA certificates of {} are trusted", certificates.size(), PLACE);
            }
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            downloads.distrust(PLACE + " has no certificates in PEM under its key " + PLACE.key());
        } catch (KubernetesClientException refused) {
            downloads.distrust(
                    refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                            ? PLACE
                                    + ", where its CA may be, must not be read: grant the right to get it, or name"
                                    + " another place in ASSISTED_CA_BUNDLE_NAMESPACE and ASSISTED_CA_BUNDLE_NAME"
                            : PLACE + ", where its CA may be, cannot be read now");
        }
    }
}
