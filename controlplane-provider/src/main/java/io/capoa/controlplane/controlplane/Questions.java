package io.capoa.controlplane.controlplane;

import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.workload.Departure;
import io.capoa.controlplane.workload.EtcdHealth;
import io.capoa.controlplane.workload.Inquiries;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.Readiness;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one reconcile asks the installed cluster; what it does not ask again is forgotten at its end. */
final class Questions {

    /** assisted-service mostly tells sooner that the API serves. */
    private static final Duration BEFORE_FIRST_PROBE = Duration.ofSeconds(1);

    private final Inquiries inquiries;
    private final ResourceID controlPlane;
    private final @Nullable String kubeconfig;
    private final Set<String> topics = new HashSet<>();

    Questions(Inquiries inquiries, ControlPlaneObservation observation) {
        this.inquiries = inquiries;
        this.controlPlane = ResourceID.fromResource(observation.controlPlane());
        Secret secret = observation.kubeconfig();
        this.kubeconfig = secret == null || secret.getData() == null
                ? null
                : secret.getData().get(KubeconfigSecret.KEY);
    }

    /** Whether the API server takes requests. */
    boolean isReady() {
        String access = kubeconfig;
        return access != null
                && inquiries
                        .latest(
                                controlPlane,
                                topic("readyz"),
                                BEFORE_FIRST_PROBE,
                                () -> InstalledCluster.readiness(access),
                                Readiness::ready)
                        .filter(Readiness::ready)
                        .isPresent();
    }

    /** How etcd is, which should have a member on each Machine; {@code null} while the question is under way. */
    @Nullable
    EtcdHealth etcd(int machines) {
        String access = kubeconfig;
        return access == null
                ? null
                : inquiries
                        .latest(
                                controlPlane,
                                topic("etcd"),
                                Duration.ZERO,
                                () -> InstalledCluster.etcd(access),
                                etcd -> etcd.isGood(machines))
                        .orElse(null);
    }

    /** The release that the cluster runs; {@code null} while the question is under way. */
    @Nullable
    String version() {
        String access = kubeconfig;
        return access == null
                ? null
                : inquiries
                        .latest(
                                controlPlane,
                                topic("version"),
                                Duration.ZERO,
                                () -> InstalledCluster.version(access),
                                known -> true)
                        .orElse(null);
    }

    /**
     * Takes a node out of the cluster; how far that is, empty while the first attempt is under way.
     *
     * @param remaining how many etcd members have to be left
     */
    Optional<Departure> depart(String machine, String node, List<String> addresses, int remaining) {
        String access = kubeconfig;
        return access == null
                ? Optional.of(new Departure.Unreachable("there is no kubeconfig"))
                : inquiries.latest(
                        controlPlane,
                        topic("departure of " + machine),
                        Duration.ZERO,
                        () -> InstalledCluster.depart(access, node, addresses, remaining),
                        Departure.Gone.class::isInstance);
    }

    void end() {
        inquiries.keepOnly(controlPlane, topics);
    }

    private String topic(String name) {
        topics.add(name);
        return name;
    }
}
