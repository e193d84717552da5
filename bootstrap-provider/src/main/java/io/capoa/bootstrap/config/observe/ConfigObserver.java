package io.capoa.bootstrap.config.observe;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterDeploymentView;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.InfraEnvView;
import io.capoa.api.contract.MachineView;
import io.capoa.api.contract.NMStateConfig;
import io.capoa.bootstrap.boot.AssistedServiceAddress;
import io.capoa.bootstrap.boot.BootMedia;
import io.capoa.bootstrap.boot.IgnitionDownloads;
import io.capoa.bootstrap.boot.IsoRefreshes;
import io.capoa.bootstrap.boot.ServiceAuthorities.Certificates;
import io.capoa.bootstrap.config.observe.ConfigObservation.PullSecret;
import io.capoa.bootstrap.ignition.DiscoveryMark;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.bootstrap.infraenv.NetworkSettings;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.runtime.lookup.LookupResult;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import okhttp3.HttpUrl;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/** Reads from the caches what one reconcile is based on, all within the config's namespace. */
public final class ConfigObserver {

    /** What a version of an InfraEnv publishes. */
    private record Published(@Nullable String version, BootMedia media) {}

    private final ConfigSources sources;
    private final PullSecrets pullSecrets;
    private final IgnitionDownloads downloads;
    private final IsoRefreshes images;
    private final AssistedServiceAddress service;
    /** Addresses are read once, and looked at often. */
    private final Map<ResourceID, Published> published = new ConcurrentHashMap<>();

    public ConfigObserver(
            ConfigSources sources,
            PullSecrets pullSecrets,
            IgnitionDownloads downloads,
            IsoRefreshes images,
            AssistedServiceAddress service) {
        this.sources = sources;
        this.pullSecrets = pullSecrets;
        this.downloads = downloads;
        this.images = images;
        this.service = service;
    }

    /** For a config that is being reconciled: also asks for what is not in a cache. */
    public ConfigObservation observe(OpenshiftAssistedConfig config) {
        ConfigObservation seen = observeDeleted(config);
        if (seen.paused() || (seen.dataMade() && !seen.dataOutdated())) {
            downloads.forget(ResourceID.fromResource(config));
            return seen;
        }
        return seen.with(new ConfigObservation.Asked(
                pullSecret(seen),
                download(seen),
                images.left(ResourceID.fromResource(config), seen.media().iso()).isPresent()));
    }

    /** For a config that is on its way out: from the caches alone. */
    public ConfigObservation observeDeleted(OpenshiftAssistedConfig config) {
        String namespace = config.getMetadata().getNamespace();
        sources.all().requireHeld(namespace);
        Owner owner = owner(config);
        Cluster cluster = clusterName(config, owner)
                .flatMap(name -> sources.clusters().get(namespace, name))
                .orElse(null);
        ClusterDeployment deployment =
                cluster == null ? null : deployment(cluster).orElse(null);
        InstallFacts install = deployment == null
                ? null
                : install(deployment).map(InstallFacts::of).orElse(null);
        Optional<String> machine =
                Owner.reference(config).filter(Owner::isMachine).map(OwnerReference::getName);
        InfraEnv infraEnv = machine.flatMap(name -> sources.infraEnvs().get(namespace, name))
                .orElse(null);
        List<Agent> agents = machine.map(
                        name -> sources.agents().byIndex(ConfigSources.BY_MACHINE, ConfigSources.scoped(config, name)))
                .orElse(List.of());
        BootMedia media = infraEnv == null ? BootMedia.NONE : media(ResourceID.fromResource(config), infraEnv);
        Certificates certificates = certificates(config, media);
        @Nullable String network = network(config);
        Secret dataSecret = sources.dataSecrets()
                .get(namespace, config.getMetadata().getName())
                .filter(secret -> BootstrapData.belongsTo(secret, config))
                .orElse(null);

        return new ConfigObservation(
                config,
                owner,
                new ConfigObservation.ClusterObjects(
                        cluster,
                        deployment,
                        install,
                        cluster == null ? null : release(cluster),
                        cluster == null
                                ? List.of()
                                : sources.machines()
                                        .byIndex(
                                                ConfigSources.LEAVING,
                                                ConfigSources.scoped(
                                                        cluster,
                                                        cluster.getMetadata().getName()))),
                infrastructure(config, owner),
                new ConfigObservation.Discovery(
                        infraEnv,
                        media,
                        agents,
                        NetworkSettings.foreign(config, networkCandidates(config)),
                        mark(config, infraEnv, network),
                        infraEnv == null
                                ? null
                                : digest(
                                        config,
                                        infraEnv,
                                        media,
                                        certificates,
                                        dataSecret == null ? orNone(network) : network),
                        certificates),
                dataSecret,
                ConfigObservation.Asked.NOTHING);
    }

    private @Nullable String release(Cluster cluster) {
        String controlPlane = ClusterView.of(cluster).controlPlaneRef().name();
        return controlPlane == null || !sources.releases().isKnown()
                ? null
                : sources.releases()
                        .get(cluster.getMetadata().getNamespace(), controlPlane)
                        .map(ControlPlaneRelease::version)
                        .orElse(null);
    }

    /** Those that the host needs to fetch its ignition; what it gets inline, it need not trust a server for. */
    private Certificates certificates(OpenshiftAssistedConfig config, BootMedia media) {
        HttpUrl url = media.hostIgnition();
        return url != null && url.isHttps() && refersToDiscoveryIgnition(config)
                ? downloads.authorities().request(ResourceID.fromResource(config))
                : Certificates.NONE;
    }

    /** Fingerprint of what the data is made from; {@code null} while that is not known, so that data that exists stays. */
    private @Nullable String digest(
            OpenshiftAssistedConfig config,
            InfraEnv infraEnv,
            BootMedia media,
            Certificates certificates,
            @Nullable String network) {
        if (refersToDiscoveryIgnition(config)) {
            return certificates instanceof Certificates.Known known ? media.referenceDigest(known.pem()) : null;
        }
        return network == null ? null : media.ignitionDigest(infraEnv, network);
    }

    /** For an ignition that can change once the InfraEnv exists: with the network settings, or with an override. */
    private static @Nullable DiscoveryMark mark(
            OpenshiftAssistedConfig config, @Nullable InfraEnv infraEnv, @Nullable String network) {
        String present = InfraEnvView.of(infraEnv).ignitionOverride();
        if (present != null && network == null) {
            return DiscoveryMark.inOverride(present).orElse(null);
        }
        Map<String, String> annotations = config.getMetadata().getAnnotations();
        String override =
                annotations == null ? "" : annotations.getOrDefault(Annotations.DISCOVERY_IGNITION_OVERRIDE, "");
        boolean changes = NetworkSettings.areSelected(config) || !override.isBlank() || present != null;
        return changes ? DiscoveryMark.of(orNone(network), override) : null;
    }

    /** What is deleted may lack its spec. */
    private static boolean refersToDiscoveryIgnition(OpenshiftAssistedConfig config) {
        OpenshiftAssistedConfigSpec spec = config.getSpec();
        return spec != null && spec.refersToDiscoveryIgnition();
    }

    /** Drops what is known of a config that is gone. */
    public void forget(ResourceID config) {
        downloads.authorities().forget(config);
        published.remove(config);
    }

    /** {@code null} while NMStateConfigs are not watched: that the cache has none does not change what was made. */
    private @Nullable String network(OpenshiftAssistedConfig config) {
        if (!NetworkSettings.areSelected(config)) {
            return "";
        }
        return sources.network().isKnown() || sources.network().absence().isPresent()
                ? NetworkSettings.fingerprints(config, networkCandidates(config))
                : null;
    }

    private Stream<NMStateConfig> networkCandidates(OpenshiftAssistedConfig config) {
        return NetworkSettings.selectedKey(config).stream()
                .flatMap(key -> sources.network().byIndex(ConfigSources.NETWORK_LABEL, key).stream());
    }

    private static String orNone(@Nullable String network) {
        return network == null ? "" : network;
    }

    private BootMedia media(ResourceID config, InfraEnv infraEnv) {
        String version = infraEnv.getMetadata().getResourceVersion();
        Published known = published.get(config);
        if (known == null || !Objects.equals(known.version(), version)) {
            known = new Published(version, BootMedia.of(infraEnv, service));
            published.put(config, known);
        }
        return known.media();
    }

    private PullSecret pullSecret(ConfigObservation seen) {
        return seen.infraEnv() != null || seen.install() == null || !(seen.owner() instanceof Owner.Of)
                ? PullSecret.UNCHECKED
                : pullSecrets.look(
                        seen.namespace(),
                        DesiredInfraEnv.pullSecretName(seen.config().getSpec()));
    }

    private LookupResult<ByteString> download(ConfigObservation seen) {
        HttpUrl url = seen.media().ignition();
        InfraEnv infraEnv = seen.infraEnv();
        String version = seen.ignitionDigest();
        boolean wanted = seen.ownsInfraEnv()
                && !seen.infrastructure().isLiveIso()
                && seen.infrastructure().missing().isEmpty()
                && Prerequisites.bootBlocker(seen).isEmpty();
        return url == null || version == null || infraEnv == null || !wanted
                ? new LookupResult.Pending<>()
                : downloads.request(
                        ResourceID.fromResource(seen.config()),
                        new IgnitionDownloads.Wanted(
                                url,
                                version,
                                seen.discovery().mark(),
                                "The discovery ignition of InfraEnv "
                                        + infraEnv.getMetadata().getNamespace() + "/"
                                        + infraEnv.getMetadata().getName()));
    }

    private Infrastructure infrastructure(OpenshiftAssistedConfig config, Owner owner) {
        return owner instanceof Owner.Of of
                ? sources.infrastructure().of(of.machine())
                : Infrastructure.missing(
                        "The Machine of " + config.getMetadata().getName() + " is not known");
    }

    private Owner owner(OpenshiftAssistedConfig config) {
        OwnerReference reference = Owner.reference(config).orElse(null);
        if (reference == null) {
            return new Owner.Unset();
        }
        if (!Owner.isMachine(reference)) {
            return new Owner.Unsupported(reference.getKind());
        }
        return Owner.of(
                config,
                reference,
                sources.machines()
                        .get(config.getMetadata().getNamespace(), reference.getName())
                        .orElse(null));
    }

    private static Optional<String> clusterName(OpenshiftAssistedConfig config, Owner owner) {
        @Nullable
        String named =
                owner instanceof Owner.Of of ? MachineView.of(of.machine()).clusterName() : null;
        Map<String, String> labels = config.getMetadata().getLabels();
        return Optional.ofNullable(named)
                .or(() -> Optional.ofNullable(labels == null ? null : labels.get(Labels.CLUSTER_NAME)));
    }

    /** The control plane's, which has its name; else the only one that the Cluster's label marks. */
    private Optional<ClusterDeployment> deployment(Cluster cluster) {
        String namespace = cluster.getMetadata().getNamespace();
        return Optional.ofNullable(ClusterView.of(cluster).controlPlaneRef().name())
                .flatMap(name -> sources.deployments().get(namespace, name))
                .or(() -> {
                    List<ClusterDeployment> labelled = sources.deployments()
                            .byIndex(
                                    ConfigSources.BY_CLUSTER,
                                    ConfigSources.scoped(
                                            cluster, cluster.getMetadata().getName()));
                    return labelled.size() == 1 ? Optional.of(labelled.getFirst()) : Optional.empty();
                });
    }

    private Optional<AgentClusterInstall> install(ClusterDeployment deployment) {
        @Nullable String named = ClusterDeploymentView.of(deployment).installName();
        return sources.installs()
                .get(
                        deployment.getMetadata().getNamespace(),
                        named == null ? deployment.getMetadata().getName() : named);
    }
}
