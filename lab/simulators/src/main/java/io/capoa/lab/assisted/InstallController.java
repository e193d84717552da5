package io.capoa.lab.assisted;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.metal3.Metal3;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadClusters;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reconciles a ClusterDeployment with its AgentClusterInstall: installs the cluster and reports each state. */
final class InstallController {

    private static final String HIVE_PAUSE = "hive.openshift.io/reconcile-pause";
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Caches.Cache<ClusterDeployment> deployments;
    private final Caches.Cache<AgentClusterInstall> installs;
    private final Caches.Cache<ClusterImageSet> imageSets;
    private final Backend backend;
    private final PullSecretChecks pullSecrets;
    private final Writes writes;
    private final Owned owned;
    private final ClusterCredentials credentials;
    private final ServiceApi api;
    private final Delays delays;
    private final WorkloadClusters workloads;
    private final ReleaseVersions.Lookup releases;
    private final ClusterTeardown teardown;
    private final UserManifests manifests;

    InstallController(
            Caches caches,
            Backend backend,
            PullSecretChecks pullSecrets,
            Writes writes,
            ServiceApi api,
            Delays delays,
            WorkloadClusters workloads,
            ReleaseVersions.Lookup releases) {
        this.deployments = caches.of(ClusterDeployment.class);
        this.installs = caches.of(AgentClusterInstall.class);
        this.imageSets = caches.of(ClusterImageSet.class);
        this.backend = backend;
        this.pullSecrets = pullSecrets;
        this.writes = writes;
        this.owned = new Owned(writes);
        this.credentials = new ClusterCredentials(writes);
        this.api = api;
        this.delays = delays;
        this.workloads = workloads;
        this.releases = releases;
        this.teardown = new ClusterTeardown(caches, backend, writes, workloads);
        this.manifests = new UserManifests(caches);
    }

    /** @param hostChanged called for each host whose state the cluster's progress changes */
    @Nullable
    Duration work(Key key, Consumer<HostRecord> hostChanged) {
        ClusterDeployment deployment = deployments.get(key);
        AgentClusterInstall install = installOf(key, deployment);
        if (deployment == null || Owned.isDeleting(deployment)) {
            teardown.proceed(key, deployment, install);
            return null;
        }
        if (install == null) {
            return null;
        }
        if (Owned.isDeleting(install)) {
            backend.removeCluster(key);
            owned.release(install, Owned.INSTALL_FINALIZER);
            return null;
        }
        owned.ensure(deployment, Owned.CLUSTER_FINALIZER);
        owned.ensure(install, Owned.INSTALL_FINALIZER, Owned.reference(deployment));
        // Read again: the service sends the whole object, and a stale version would conflict.
        install = Objects.requireNonNull(installOf(key, deployment));
        ClusterRecord cluster = backend.cluster(key, install.getMetadata().getUid());
        SpecSync sync = synchronize(deployment, install, cluster);
        if (!cluster.accepted) {
            publish(install, cluster, ClusterStatus.withoutCluster(sync, cluster.published));
            return sync.isOk() ? null : AGAIN;
        }
        Duration again = advance(deployment, install, cluster, sync, hostChanged);
        return (again == null && !sync.isOk() && !cluster.state.isStarted()) ? AGAIN : again;
    }

    private @Nullable Duration advance(
            ClusterDeployment deployment,
            AgentClusterInstall install,
            ClusterRecord cluster,
            SpecSync sync,
            Consumer<HostRecord> hostChanged) {
        Delays here = delays.in(cluster.key.namespace());
        while (true) {
            Instant begun = Instant.now();
            List<HostRecord> hosts = backend.hostsOf(cluster.key);
            InstallInputs inputs = inputs(deployment, install, cluster, hosts);
            Duration left = cluster.left(
                    switch (cluster.state) {
                        case PREPARING -> here.get(Delays.Of.PREPARING);
                        case FINALIZING -> here.get(Delays.Of.FINALIZING);
                        default -> Duration.ZERO;
                    });
            if (cluster.state == ClusterState.FINALIZING && left.isZero() && !isInitialized(cluster)) {
                // The operators of the cluster have no Node on which their pods may run.
                left = AGAIN;
            }
            boolean mayStart = sync.isOk() || cluster.state.isStarted();
            ClusterState possible = InstallFlow.next(cluster.state, inputs, left.isZero());
            ClusterState next = mayStart || !possible.isStarted() ? possible : cluster.state;
            if (InstallFlow.isReported(cluster.state, next)) {
                publish(install, cluster, ClusterStatus.of(install, cluster, hosts, inputs, sync));
            }
            if (next == cluster.state) {
                Duration settling = left.isZero() ? settling(cluster, inputs.checks()) : left;
                if (settling == null) {
                    cluster.settled = begun;
                }
                return settling;
            }
            // What has just been published has changed the object, and the service without agents meets no conflicts.
            AgentClusterInstall latest = backend.behaviour.isBrief() ? installs.get(Key.of(install)) : install;
            enter(next, deployment, latest == null ? install : latest, cluster, hosts);
            hosts.forEach(hostChanged);
        }
    }

    private static boolean isInitialized(ClusterRecord cluster) {
        Workload workload = cluster.workload;
        return workload == null || workload.isInitialized();
    }

    /** Runs the entry actions of a state, then enters it: a failure in between repeats all of them. */
    private void enter(
            ClusterState next,
            ClusterDeployment deployment,
            AgentClusterInstall install,
            ClusterRecord cluster,
            List<HostRecord> hosts) {
        switch (next) {
            case PREPARING -> {
                cluster.frozen = InstallSpecRules.frozen(install, false);
                HostRoles.assign(hosts, cluster.requirements);
            }
            case INSTALLING -> {
                Workload workload = workloads.create(cluster.id, releases.of(releaseImage(install)));
                cluster.workload = workload;
                workload.apply(manifests.of(install));
                credentials.publishKubeconfig(deployment, install, cluster, workload);
                // Last: a host downloads its ignition as soon as it may install.
                hosts.forEach(HostRecord::prepare);
            }
            case ADDING_HOSTS -> {
                Workload workload = Objects.requireNonNull(cluster.workload);
                workload.complete();
                credentials.publishAll(deployment, install, cluster, workload);
            }
            case ERROR -> hosts.forEach(HostRecord::abort);
            default -> {
                // No entry action.
            }
        }
        cluster.enter(next);
    }

    private InstallInputs inputs(
            ClusterDeployment deployment, AgentClusterInstall install, ClusterRecord cluster, List<HostRecord> hosts) {
        Map<String, String> annotations = deployment.getMetadata().getAnnotations();
        boolean onHold = Fields.isTrue(install, "spec", "holdInstallation")
                || (annotations != null && "true".equals(annotations.get(HIVE_PAUSE)));
        List<InstallInputs.HostFacts> facts = hosts.stream()
                .filter(host -> !cluster.state.isStarted() || (!host.stages.isEmpty() && !host.addedLater))
                .map(HostRecord::facts)
                .toList();
        return new InstallInputs(cluster.requirements, facts, onHold, checks(install, cluster, hosts));
    }

    private ClusterChecks checks(AgentClusterInstall install, ClusterRecord cluster, List<HostRecord> hosts) {
        if (cluster.state.isStarted() || backend.behaviour.isBrief()) {
            return ClusterChecks.MET;
        }
        Rounds rounds = rounds(cluster);
        String vips = InstallSpecRules.pending(install);
        Instant known = cluster.hostKnown;
        ClusterChecks.MachineNetwork network;
        if (!InstallSpecRules.needsVips(install)) {
            network = ClusterChecks.MachineNetwork.KNOWN;
        } else if (hosts.stream().noneMatch(host -> host.round >= 0)) {
            network = ClusterChecks.MachineNetwork.UNDISCOVERED;
        } else {
            boolean given = !Fields.list(install, "spec", "networking", "machineNetwork")
                    .isEmpty();
            network = given || (vips.isEmpty() && known != null && rounds.isOver(known))
                    ? ClusterChecks.MachineNetwork.KNOWN
                    : ClusterChecks.MachineNetwork.UNDEFINED;
        }
        Instant looked = cluster.looked;
        return new ClusterChecks(looked != null && rounds.isOver(looked), vips, network);
    }

    private Rounds rounds(ClusterRecord cluster) {
        return Rounds.of(delays.in(cluster.key.namespace()));
    }

    /** Time until the checks may have another result with the same inputs; {@code null} when they will not. */
    private @Nullable Duration settling(ClusterRecord cluster, ClusterChecks reported) {
        if (cluster.state.isStarted() || backend.behaviour.isBrief()) {
            return null;
        }
        Instant looked = cluster.looked;
        if (looked == null) {
            looked = Instant.now();
            cluster.looked = looked;
        }
        Instant known = cluster.hostKnown;
        // As reported, not as it is by now: a network that is known a round later has been reported as undefined.
        if (known == null && reported.network() != ClusterChecks.MachineNetwork.UNDISCOVERED) {
            known = Instant.now();
            cluster.hostKnown = known;
        }
        Rounds rounds = rounds(cluster);
        Duration left = rounds.left(looked);
        if (left.isZero() && known != null) {
            left = rounds.left(known);
        }
        return left.isZero() ? null : left;
    }

    /** Accepts the spec while it may still change. */
    private SpecSync synchronize(ClusterDeployment deployment, AgentClusterInstall install, ClusterRecord cluster) {
        boolean installed = cluster.state == ClusterState.ADDING_HOSTS;
        if (cluster.state.isStarted()) {
            Map<String, Object> frozen = new LinkedHashMap<>(cluster.frozen);
            if (installed) {
                frozen.remove("provisionRequirements");
            }
            return frozen.equals(InstallSpecRules.frozen(install, installed))
                    ? SpecSync.OK
                    : SpecSync.inputError("the spec cannot be changed after the installation has started");
        }
        String error = InstallSpecRules.inputError(install);
        if (error.isEmpty()) {
            error = ClusterInputRules.inputError(Fields.string(deployment, "spec", "clusterName"), install);
        }
        if (!error.isEmpty()) {
            return SpecSync.inputError(error);
        }
        if (!cluster.accepted) {
            try {
                pullSecrets.read(
                        deployment.getMetadata().getNamespace(),
                        Fields.string(deployment, "spec", "pullSecretRef", "name"));
            } catch (PullSecretChecks.Unusable e) {
                return SpecSync.inputError(String.valueOf(e.getMessage()));
            }
            if (cluster.eventsUrl.isEmpty()) {
                cluster.eventsUrl = api.clusterEventsUrl(cluster.id);
            }
        }
        if (releaseImage(install).isEmpty()) {
            return SpecSync.backendError("failed to get cluster image set "
                    + Fields.string(install, "spec", "imageSetRef", "name") + ": not found");
        }
        // Kept until the service restarts, also if the release can be read meanwhile.
        cluster.releaseUnreadable |= !cluster.accepted && isUnreadable(install);
        if (cluster.releaseUnreadable) {
            return SpecSync.inputError(
                    ("failed to get release image by URL %s during cluster registration: command 'oc adm"
                                    + " release info' exited with non-zero exit code 1: error: unable to read image")
                            .formatted(releaseImage(install)));
        }
        cluster.accepted = true;
        cluster.platform(InstallSpecRules.platform(install), InstallSpecRules.hasExternalCloudProvider(install));
        cluster.domain = Fields.string(deployment, "spec", "clusterName") + "."
                + Fields.string(deployment, "spec", "baseDomain");
        cluster.userManaged = InstallSpecRules.isUserManaged(install);
        cluster.requirements = Requirements.of(install);
        cluster.minor = releases.of(releaseImage(install)).minor();
        return SpecSync.OK;
    }

    /** Whether the lab keeps the service from reading the release. */
    private boolean isUnreadable(AgentClusterInstall install) {
        String name = Fields.string(install, "spec", "imageSetRef", "name");
        ClusterImageSet imageSet = name == null ? null : imageSets.get(new Key("", name));
        return imageSet != null && Metal3.annotation(imageSet, Metal3.FAIL) != null;
    }

    /** The release to install; empty while the image set is absent. */
    private String releaseImage(AgentClusterInstall install) {
        String name = Fields.string(install, "spec", "imageSetRef", "name");
        ClusterImageSet imageSet = name == null ? null : imageSets.get(new Key("", name));
        String image = imageSet == null ? null : Fields.string(imageSet, "spec", "releaseImage");
        return image == null ? "" : image;
    }

    private void publish(AgentClusterInstall install, ClusterRecord cluster, Map<String, Object> status) {
        if (cluster.published.differs(status)) {
            writes.patchStatus(install, status);
            cluster.published.wrote(status);
        }
    }

    private @Nullable AgentClusterInstall installOf(Key key, @Nullable ClusterDeployment deployment) {
        String name = deployment == null ? key.name() : Fields.string(deployment, "spec", "clusterInstallRef", "name");
        AgentClusterInstall install = name == null ? null : installs.get(new Key(key.namespace(), name));
        return install != null && key.name().equals(Fields.string(install, "spec", "clusterDeploymentRef", "name"))
                ? install
                : null;
    }
}
