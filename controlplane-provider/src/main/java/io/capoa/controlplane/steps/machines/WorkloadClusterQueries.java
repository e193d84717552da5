package io.capoa.controlplane.steps.machines;

import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.ExpectedRelease;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.client.WorkloadClusterPoller;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.health.ApiServerReadiness;
import io.capoa.controlplane.workload.health.CloudControllerState;
import io.capoa.controlplane.workload.health.ControlPlaneHealth;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.controlplane.workload.health.HealthRounds;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Read-only queries of one reconcile to the workload cluster. */
public final class WorkloadClusterQueries {

    /** assisted-service usually reports earlier that the API server is up. */
    private static final Duration BEFORE_FIRST_PROBE = Duration.ofSeconds(1);

    private static final String ETCD = "etcd";
    private static final String VERSION = "version";

    private final WorkloadClusterPoller poller;
    private final ResourceID controlPlane;
    private final @Nullable String kubeconfig;
    private final Set<String> topics;
    private boolean removing;

    /**
     * Queries to the cluster of the observed control plane.
     *
     * @param topics collects the topics that are queried; the others are dropped at the end of the reconcile
     */
    public WorkloadClusterQueries(
            WorkloadClusterPoller poller, ControlPlaneObservation observation, Set<String> topics) {
        this.poller = poller;
        this.controlPlane = ResourceID.fromResource(observation.controlPlane());
        this.topics = topics;
        Secret secret = observation.kubeconfig();
        this.kubeconfig = secret == null || secret.getData() == null
                ? null
                : secret.getData().get(KubeconfigSecret.KEY);
        poller.use(controlPlane, kubeconfig);
    }

    /** The kubeconfig, base64; {@code null} if there is none. */
    public @Nullable String kubeconfig() {
        return kubeconfig;
    }

    /** Whether the API server takes requests. */
    public boolean isReady() {
        String access = kubeconfig;
        return access != null
                && poller.latest(
                                controlPlane,
                                topic("readyz"),
                                BEFORE_FIRST_PROBE,
                                () -> InstalledCluster.readiness(access),
                                ApiServerReadiness::ready)
                        .filter(ApiServerReadiness::ready)
                        .isPresent();
    }

    /** etcd's health, with a member expected on each Machine; {@code null} until the cluster answers. */
    public @Nullable EtcdHealth etcd(int machines) {
        EtcdState state = etcdState(machines);
        return state == null ? null : state.health();
    }

    /** etcd's members and health, with a member expected on each Machine; {@code null} until the cluster answers. */
    public @Nullable EtcdState etcdState(int machines) {
        Observed<EtcdState> state = etcdState(answer -> !removing && answer.isGood(machines));
        return state == null ? null : state.value();
    }

    /** etcd's health, fresh enough for a member's removal; {@code null} until the cluster answers. */
    @Nullable
    Observed<EtcdState> etcdForRemoval() {
        removing = true;
        return etcdState(answer -> false);
    }

    /** Describes the wait for etcd's state. */
    String askingAboutEtcd(String what) {
        return poller.asking(controlPlane, ETCD, what);
    }

    /** Discards the known state after a change of etcd. */
    void etcdChanged() {
        poller.renew(controlPlane, ETCD);
    }

    private @Nullable Observed<EtcdState> etcdState(Predicate<EtcdState> settled) {
        String access = kubeconfig;
        return access == null
                ? null
                : poller.fresh(controlPlane, topic(ETCD), () -> InstalledCluster.etcdState(access), settled)
                        .or(this::unreachable)
                        .orElse(null);
    }

    /** The last answer if the cluster was unreachable: it permits nothing, so it may be old. */
    private Optional<Observed<EtcdState>> unreachable() {
        return poller.<EtcdState>last(controlPlane, ETCD)
                .filter(state -> !state.value().health().reached());
    }

    /**
     * The release that the cluster runs or moves to, which an administrator can change, too: asked every three minutes while
     * it runs the target on all nodes, otherwise with growing pauses; {@code null} until the cluster answers.
     *
     * @param target the wanted release
     * @param expected {@link ExpectedRelease#WANTED} lets the first attempt take up to three minutes; with
     *     {@link ExpectedRelease#OTHER} a cluster that does not answer is asked often
     */
    public @Nullable ClusterUpgradeState upgrade(String target, ExpectedRelease expected) {
        String access = kubeconfig;
        return access == null
                ? null
                : poller.followed(
                                controlPlane,
                                topic(VERSION),
                                expected != ExpectedRelease.WANTED,
                                () -> InstalledCluster.upgrade(access, target),
                                state -> state.isSettled(target)
                                        || (expected != ExpectedRelease.OTHER
                                                && !state.failure().isEmpty()))
                        .orElse(null);
    }

    /**
     * The release that the cluster runs or moves to, fresh enough for a destructive decision; empty until the cluster answers.
     * Ask only after {@link #upgrade}, whose query it is.
     */
    Optional<ClusterUpgradeState> upgradeNow() {
        return poller.<ClusterUpgradeState>fresh(controlPlane, VERSION)
                .map(Observed::value)
                .filter(state -> state.failure().isEmpty());
    }

    /** Discards the known state after a change of the cluster's ClusterVersion. */
    public void upgradeChanged() {
        poller.renew(controlPlane, VERSION);
    }

    /**
     * Health of the installed control plane: asked about every minute while the cluster can be used, otherwise with growing
     * pauses; {@code null} until the cluster answers, or fails to.
     *
     * @param rounds of this control plane
     * @param known as of {@link HealthRounds}
     * @param soon whether to ask at once for the first time, otherwise within a minute
     */
    public @Nullable Observed<ControlPlaneHealth> health(HealthRounds rounds, Object known, boolean soon) {
        String access = kubeconfig;
        return access == null
                ? null
                : poller.observed(
                                controlPlane,
                                topic("health"),
                                soon,
                                () -> InstalledCluster.health(access, rounds, known, poller.clock()),
                                health -> health.loss() == ControlPlaneHealth.Loss.NONE)
                        .orElse(null);
    }

    /**
     * The user's cloud controller manager: asked with growing pauses until it is ready, then every three minutes; {@code null}
     * until the cluster answers.
     */
    @Nullable
    public CloudControllerState cloudController() {
        String access = kubeconfig;
        return access == null
                ? null
                : poller.followed(
                                controlPlane,
                                topic("cloud-controller"),
                                true,
                                () -> InstalledCluster.cloudController(access),
                                CloudControllerState::isReady)
                        .orElse(null);
    }

    private String topic(String name) {
        topics.add(name);
        return name;
    }
}
