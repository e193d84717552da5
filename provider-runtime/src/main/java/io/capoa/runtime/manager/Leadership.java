package io.capoa.runtime.manager;

import io.capoa.runtime.client.ByName;
import io.capoa.runtime.options.ManagerOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import java.net.HttpURLConnection;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election of this replica.
 *
 * <p>JOSDK keeps reconciling after it has lost the Lease, and never releases it. Here a lost Lease ends the process at
 * once, and a planned stop clears the holder, so that a standby takes over without waiting.
 *
 * <p>Needs get, create, update and patch on Leases of its namespace: the election renews by patch.
 */
final class Leadership {

    private static final Logger log = LoggerFactory.getLogger(Leadership.class);
    private static final int RELEASE_ATTEMPTS = 3;

    private final String leaseName;
    private final String leaseNamespace;
    private final String identity;
    private final Consumer<String> onLoss;
    private volatile boolean leading;
    private volatile boolean stopping;

    /**
     * @param onLoss gets a sentence when the Lease is lost unplanned; must end the process without delay
     */
    Leadership(String leaseName, String leaseNamespace, Consumer<String> onLoss) {
        this.leaseName = leaseName;
        this.leaseNamespace = leaseNamespace;
        this.identity = identity();
        this.onLoss = onLoss;
    }

    LeaderElectionConfiguration configuration(ManagerOptions options) {
        return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(leaseName)
                .withLeaseNamespace(leaseNamespace)
                .withIdentity(identity)
                .withLeaseDuration(options.leaseDuration())
                .withRenewDeadline(options.renewDeadline())
                .withRetryPeriod(options.retryPeriod())
                .withLeaderCallbacks(new LeaderCallbacks(this::started, this::stopped, leader -> {}))
                .build();
    }

    boolean isLeading() {
        return leading;
    }

    /** From now on the end of leadership is what we want. */
    void stopping() {
        stopping = true;
    }

    /** Gives the Lease back when it is ours; call when nothing reconciles any more. */
    void release(KubernetesClient client) {
        for (int attempt = 1; leading && attempt <= RELEASE_ATTEMPTS; attempt++) {
            try {
                var lease = ByName.select(client.leases().inNamespace(leaseNamespace), leaseName)
                        .get();
                if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
                    lease.getSpec().setHolderIdentity("");
                    lease.getSpec().setLeaseDurationSeconds(1);
                    client.resource(lease).update();
                    log.info("Released lease {}/{}", leaseNamespace, leaseName);
                }
                leading = false;
            } catch (KubernetesClientException e) {
                // A conflict is our own last renewal, still under way: look again.
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == RELEASE_ATTEMPTS) {
                    log.warn("Could not release lease {}/{}; it runs out by itself", leaseNamespace, leaseName, e);
                    return;
                }
            }
        }
    }

    private void started() {
        leading = true;
        log.info("Leading: {} holds lease {}/{}", identity, leaseNamespace, leaseName);
    }

    private void stopped() {
        if (leading && !stopping) {
            leading = false;
            onLoss.accept("Lost lease " + leaseNamespace + "/" + leaseName + ": another replica may lead already");
        }
    }

    /** Host name (in a pod its name) and something unique, as two processes may share a host. */
    private static String identity() {
        var host = System.getenv("HOSTNAME");
        return (host == null || host.isBlank() ? "manager" : host) + "_" + UUID.randomUUID();
    }
}
