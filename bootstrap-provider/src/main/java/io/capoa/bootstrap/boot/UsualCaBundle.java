package io.capoa.bootstrap.boot;

import io.capoa.runtime.client.ByName;
import io.capoa.runtime.threads.VirtualThreads;
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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private static final CaBundle.Location PLACE = CaBundle.Location.USUAL;
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final IgnitionDownloads downloads;
    private final Clock clock;
    private final AtomicReference<Instant> next = new AtomicReference<>(Instant.EPOCH);
    private final AtomicBoolean finding = new AtomicBoolean();
    private @Nullable String seen;

    /** Looks for nothing yet. */
    public UsualCaBundle(KubernetesClient client, IgnitionDownloads downloads, Clock clock) {
        this.client = client;
        this.downloads = downloads;
        this.clock = clock;
        downloads
                .authorities()
                .lookUpWith(this::find, PLACE + ", where the CA of assisted-service may be, is being read");
    }

    /** Has the Secret looked for, now and then, and what is new in it trusted: then what failed is tried again. */
    @Override
    public void run() {
        Instant now = clock.instant();
        Instant due = next.get();
        if (!now.isBefore(due) && next.compareAndSet(due, now.plus(BETWEEN_LOOKS))) {
            Thread unused = VirtualThreads.start("usual-ca-bundle", () -> look(true));
        }
    }

    /** Has the Secret looked for until it is known whether there is one: hosts may need its certificates. */
    private void find() {
        if (finding.compareAndSet(false, true)) {
            Thread unused = VirtualThreads.start("ca-bundle-of-hosts", () -> {
                try {
                    while (!look(false)) {
                        Thread.sleep(BETWEEN_LOOKS);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    finding.set(false);
                }
            });
        }
    }

    /**
     * Reads the Secret.
     *
     * @param distrusted whether a server's certificate was not trusted: then failed downloads mention the outcome
     * @return whether the certificates are known now, none included
     */
    private synchronized boolean look(boolean distrusted) {
        try {
            Secret secret = ByName.select(client.secrets().inNamespace(PLACE.namespace()), PLACE.name())
                    .get();
            if (secret == null) {
                missing(distrusted);
            } else if (!Objects.equals(secret.getMetadata().getResourceVersion(), seen)) {
                Collection<? extends Certificate> certificates = CaBundle.certificates(secret, PLACE.key());
                downloads.trust(TrustedCertificates.with(certificates));
                downloads.authorities().known(certificates);
                seen = secret.getMetadata().getResourceVersion();
                LOG.info("{} CA certificates of {} are trusted", certificates.size(), PLACE);
            }
            return true;
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            return unreadable(PLACE + " has no certificates in PEM under its key " + PLACE.key(), distrusted);
        } catch (KubernetesClientException refused) {
            return unreadable(
                    refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                            ? PLACE
                                    + ", where its CA may be, must not be read: grant the right to get it, or name"
                                    + " another place in ASSISTED_CA_BUNDLE_NAMESPACE and ASSISTED_CA_BUNDLE_NAME"
                            : PLACE + ", where its CA may be, cannot be read now",
                    distrusted);
        }
    }

    /** Hosts keep the certificates of a Secret that has been deleted: the service may still need them. */
    private void missing(boolean distrusted) throws GeneralSecurityException {
        if (seen == null) {
            downloads.authorities().known(List.of());
        }
        if (distrusted) {
            downloads.distrust("its certificate is not trusted: name the Secret or ConfigMap with the CA of"
                    + " assisted-service in ASSISTED_CA_BUNDLE_NAMESPACE and ASSISTED_CA_BUNDLE_NAME, or make "
                    + PLACE + " with it under ca.crt");
        }
    }

    private boolean unreadable(String why, boolean distrusted) {
        if (distrusted) {
            downloads.distrust(why);
        } else if (seen == null) {
            downloads.authorities().unknown(why);
        }
        return false;
    }
}
