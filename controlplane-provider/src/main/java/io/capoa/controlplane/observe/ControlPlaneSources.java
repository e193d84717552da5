package io.capoa.controlplane.observe;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineGroupView;
import io.capoa.api.contract.MachineSet;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.Workers;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.watch.Source;
import io.capoa.runtime.watch.Watches;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The watched kinds of the control plane reconciler, and the reading of them. */
public final class ControlPlaneSources {

    private static final String CLUSTER = "cluster";
    private static final String KUBECONFIG = "kubeconfig";
    private static final String IMAGE_SET = "imageSet";
    private static final String RESOLVED_FROM = "resolvedFrom";

    /** Machines that no MachineSet and no control plane made. */
    private static final String STANDING_ALONE = "!%s,!%s".formatted(Labels.CONTROL_PLANE, Labels.SET_NAME);

    final Source<Cluster> clusters;
    public final Source<ClusterDeployment> deployments;
    public final Source<AgentClusterInstall> installs;
    public final Source<ClusterImageSet> imageSets;
    public final Source<Machine> machines;
    public final Source<OpenshiftAssistedConfig> configs;
    final Source<MachineDeployment> machineDeployments;
    final Source<MachineSet> machineSets;
    final Source<Machine> workers;
    public final Source<Secret> clusterSecrets;
    public final Source<Secret> kubeconfigSources;

    private final InfrastructureMachines infrastructure;

    public ControlPlaneSources(
            Watches<OpenshiftAssistedControlPlane> watches, KubernetesClient client, Contracts contracts) {
        infrastructure = new InfrastructureMachines(client, watches.namespaces(), contracts, Belonging::labelled);
        watches.add(infrastructure.source());
        watches.primaryKey(
                CLUSTER,
                controlPlane -> Optional.ofNullable(Belonging.clusterName(controlPlane)).stream()
                        .toList());
        clusters = watches.on(Cluster.class)
                .pruned(Remembered::cluster)
                .wakesByKey(CLUSTER, cluster -> List.of(cluster.getMetadata().getName()))
                .source();
        deployments =
                watches.on(ClusterDeployment.class).wakes(Belonging::sameName).source();
        installs = watches.on(AgentClusterInstall.class)
                .pruned(Remembered::install)
                .wakes(Belonging::sameName)
                .index(
                        IMAGE_SET,
                        install -> Stream.ofNullable(ImageSet.referred(install)).toList())
                .source();
        imageSets = watches.on(ClusterImageSet.class)
                .wakes(this::usersOf)
                .index(
                        RESOLVED_FROM,
                        imageSet -> ImageSet.told(imageSet)
                                .map(release -> List.of(release.resolvedFrom()))
                                .orElse(List.of()))
                .source();
        machines = watches.on(Machine.class)
                .pruned(Remembered::machine)
                .labelled(Labels.CONTROL_PLANE)
                .wakes(Belonging::ownersOrLabelled)
                .source();
        configs = watches.on(OpenshiftAssistedConfig.class)
                .pruned(Remembered::config)
                .labelled(Labels.CLUSTER_NAME)
                .wakesByKey(CLUSTER, Belonging::clusterLabel)
                .index(CLUSTER, Belonging::scopedClusterLabel)
                .source();
        machineDeployments = watches.on(MachineDeployment.class)
                .pruned(Remembered::specOnly)
                .wakesByKey(CLUSTER, ControlPlaneSources::clusterOf)
                .index(CLUSTER, deployment -> Belonging.scopedIn(deployment, clusterOf(deployment)))
                .source();
        machineSets = watches.on(MachineSet.class)
                .pruned(Remembered::specOnly)
                .wakesByKey(CLUSTER, set -> Belonging.standsAlone(set) ? clusterOf(set) : List.of())
                .index(CLUSTER, set -> Belonging.scopedIn(set, clusterOf(set)))
                .source();
        workers = watches.on(Machine.class)
                .pruned(Remembered::specOnly)
                .named("workers")
                .labelled(STANDING_ALONE)
                .wakesByKey(CLUSTER, ControlPlaneSources::clusterOf)
                .index(CLUSTER, machine -> Belonging.scopedIn(machine, clusterOf(machine)))
                .source();
        clusterSecrets = watches.on(Secret.class)
                .named("cluster-secrets")
                .labelled(Labels.CLUSTER_NAME)
                .pruned(Belonging::onlyKubeconfig)
                .wakesByKey(
                        CLUSTER, secret -> Belonging.isKubeconfig(secret) ? Belonging.clusterLabel(secret) : List.of())
                .source();
        kubeconfigSources = watches.on(Secret.class)
                .named("kubeconfig-sources")
                .labelled("hive.openshift.io/secret-type=" + KUBECONFIG)
                .wakes(Belonging::clusterDeployment)
                .source();
    }

    private static List<String> clusterOf(MachineDeployment deployment) {
        return Stream.ofNullable(MachineGroupView.of(deployment).clusterName()).toList();
    }

    private static List<String> clusterOf(MachineSet set) {
        return Stream.ofNullable(MachineGroupView.of(set).clusterName()).toList();
    }

    private static List<String> clusterOf(Machine machine) {
        return Stream.ofNullable(MachineView.of(machine).clusterName()).toList();
    }

    /** Kinds that are not being watched now, so that nothing can be decided. */
    public List<Class<? extends HasMetadata>> unknown() {
        Map<Class<? extends HasMetadata>, List<Source<?>>> all = new LinkedHashMap<>();
        all.put(AgentClusterInstall.class, List.of(installs));
        all.put(Cluster.class, List.of(clusters));
        all.put(ClusterDeployment.class, List.of(deployments));
        all.put(ClusterImageSet.class, List.of(imageSets));
        all.put(Machine.class, List.of(machines, workers));
        all.put(MachineDeployment.class, List.of(machineDeployments));
        all.put(MachineSet.class, List.of(machineSets));
        all.put(OpenshiftAssistedConfig.class, List.of(configs));
        all.put(Secret.class, List.of(clusterSecrets, kubeconfigSources));
        return all.entrySet().stream()
                .filter(kind -> !kind.getValue().stream().allMatch(Source::isKnown))
                .<Class<? extends HasMetadata>>map(Map.Entry::getKey)
                .toList();
    }

    /** Of those kinds that the cluster does not serve: which they are, and what to install. */
    public List<String> absent() {
        return Stream.of(clusters, machines, machineDeployments, machineSets, configs, deployments, imageSets, installs)
                .map(Source::absence)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** Of those kinds that the provider may not watch: which they are, and what to grant. */
    public List<String> forbidden() {
        return Stream.of(
                        clusters,
                        machines,
                        workers,
                        machineDeployments,
                        machineSets,
                        configs,
                        deployments,
                        imageSets,
                        installs,
                        clusterSecrets,
                        kubeconfigSources)
                .map(Source::missingRight)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** Takes a snapshot of the caches. */
    public ControlPlaneObservation observe(OpenshiftAssistedControlPlane controlPlane) {
        String namespace = controlPlane.getMetadata().getNamespace();
        String name = controlPlane.getMetadata().getName();
        String owner = Belonging.clusterName(controlPlane);
        String clusterName = owner == null ? name : owner;
        ControlPlaneIdentity identity = new ControlPlaneIdentity(controlPlane, clusterName);
        AgentClusterInstall install = installs.get(namespace, name).orElse(null);
        String imageSet = imageSetInUse(identity, install);
        List<Machine> owned = machines.of(controlPlane).stream()
                .filter(machine -> identity.controls(machine) || Belonging.isOrphan(identity, machine))
                .toList();
        return new ControlPlaneObservation(
                identity,
                owner == null ? null : clusters.get(namespace, owner).orElse(null),
                new InstallObjects(
                        deployments.get(namespace, name).orElse(null),
                        install,
                        imageSet,
                        imageSets.get(null, imageSet).orElse(null),
                        clusterSecrets
                                .get(namespace, KubeconfigSecret.name(clusterName))
                                .orElse(null)),
                new MachineObjects(
                        owned,
                        infrastructure.of(controlPlane, owned),
                        configs(namespace, clusterName, owned),
                        workers(Belonging.scoped(namespace, clusterName))));
    }

    /** Why the infrastructure machines are not known, if the API server refuses to list one of their kinds. */
    public Optional<ReconcileFailure> infrastructureFailure(ControlPlaneObservation observation) {
        return infrastructure.failure(observation.controlPlane(), observation.machines());
    }

    /** The installations, of all namespaces that are watched, that refer to a ClusterImageSet. */
    public List<AgentClusterInstall> installsWith(String imageSet) {
        return installs.byIndex(IMAGE_SET, imageSet);
    }

    /** The ClusterImageSets, of all control planes, that remember what an image reference stood for. */
    public List<ClusterImageSet> imageSetsOf(String image) {
        return imageSets.byIndex(RESOLVED_FROM, image);
    }

    /** Its control plane and, should that let go of it, the others that use it. */
    private Set<ResourceID> usersOf(ClusterImageSet imageSet) {
        return Stream.concat(
                        ImageSet.ownerOf(imageSet).stream(),
                        installsWith(imageSet.getMetadata().getName()).stream().map(ResourceID::fromResource))
                .collect(Collectors.toSet());
    }

    private String imageSetInUse(ControlPlaneIdentity identity, @Nullable AgentClusterInstall install) {
        String referred = ImageSet.referred(install);
        return ImageSet.nameInUse(
                identity,
                install,
                referred == null ? null : imageSets.get(null, referred).orElse(null));
    }

    private Workers workers(String cluster) {
        return new Workers(
                machineDeployments.byIndex(CLUSTER, cluster),
                machineSets.byIndex(CLUSTER, cluster),
                workers.byIndex(CLUSTER, cluster));
    }

    /** By label, and by the Machines' names: what this process has just created is only found by name. */
    private List<OpenshiftAssistedConfig> configs(String namespace, String clusterName, List<Machine> machines) {
        Map<String, OpenshiftAssistedConfig> all = new TreeMap<>();
        configs.byIndex(CLUSTER, Belonging.scoped(namespace, clusterName))
                .forEach(config -> all.put(config.getMetadata().getName(), config));
        machines.forEach(machine -> configs.get(namespace, machine.getMetadata().getName())
                .ifPresent(config -> all.put(config.getMetadata().getName(), config)));
        return List.copyOf(all.values());
    }
}
