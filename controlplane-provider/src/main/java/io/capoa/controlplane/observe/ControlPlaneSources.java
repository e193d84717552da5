package io.capoa.controlplane.observe;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.failure.ObjectsNotHeldException;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Event sources of the control plane reconciler, and the snapshot of their caches. */
public final class ControlPlaneSources {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPlaneSources.class);

    /** Index and primary key: Cluster of an object. */
    static final String CLUSTER = "cluster";

    private final Consumer<String> held;
    private final Source<Cluster> clusters;
    private final InstallSources install;
    private final MachineSources machines;
    private final InfrastructureMachines infrastructure;

    /** Declares the event sources. */
    public ControlPlaneSources(
            EventSources<OpenshiftAssistedControlPlane> eventSources, KubernetesClient client, Contracts contracts) {
        held = eventSources::requireHeld;
        infrastructure = new InfrastructureMachines(
                client, eventSources.namespaces(), contracts, ControlPlaneMappers::labelled, eventSources::store);
        eventSources.add(infrastructure.source());
        eventSources.primaryKey(
                CLUSTER,
                controlPlane -> Optional.ofNullable(ControlPlaneMappers.clusterName(controlPlane)).stream()
                        .toList());
        clusters = eventSources
                .on(Cluster.class)
                .pruned(PeerPruning::cluster)
                .wakesByKey(CLUSTER, cluster -> List.of(cluster.getMetadata().getName()))
                .source();
        install = InstallSources.declare(eventSources);
        machines = MachineSources.declare(eventSources);
    }

    public Source<ClusterDeployment> deployments() {
        return install.deployments();
    }

    public Source<AgentClusterInstall> installs() {
        return install.installs();
    }

    public Source<ClusterImageSet> imageSets() {
        return install.imageSets();
    }

    /** Secrets {@code <cluster>-kubeconfig}. */
    public Source<Secret> clusterSecrets() {
        return install.clusterSecrets();
    }

    /** Secrets in which assisted-service publishes kubeconfigs. */
    public Source<Secret> kubeconfigSources() {
        return install.kubeconfigSources();
    }

    /** Machines of control planes. */
    public Source<Machine> machines() {
        return machines.machines();
    }

    public Source<OpenshiftAssistedConfig> configs() {
        return machines.configs();
    }

    /** AgentClusterInstalls in all watched namespaces that reference a ClusterImageSet. */
    public List<AgentClusterInstall> installsWith(String imageSet) {
        return install.installsWith(imageSet);
    }

    /** ClusterImageSets of all control planes that store the digest of an image reference. */
    public List<ClusterImageSet> imageSetsOf(String image) {
        return install.imageSetsOf(image);
    }

    /** Kinds without a synced informer; nothing can be decided while there are any. */
    public List<Class<? extends HasMetadata>> unknown() {
        Map<Class<? extends HasMetadata>, List<Source<?>>> all = new LinkedHashMap<>();
        all.put(AgentClusterInstall.class, List.of(install.installs()));
        all.put(Cluster.class, List.of(clusters));
        all.put(ClusterDeployment.class, List.of(install.deployments()));
        all.put(ClusterImageSet.class, List.of(install.imageSets()));
        all.put(Machine.class, List.of(machines.machines(), machines.standalone()));
        all.put(MachineDeployment.class, List.of(machines.deployments()));
        all.put(MachineSet.class, List.of(machines.sets()));
        all.put(OpenshiftAssistedConfig.class, List.of(machines.configs()));
        all.put(Secret.class, List.of(install.clusterSecrets(), install.kubeconfigSources()));
        List<Class<? extends HasMetadata>> unknown = all.entrySet().stream()
                .filter(kind -> !kind.getValue().stream().allMatch(Source::isKnown))
                .<Class<? extends HasMetadata>>map(Map.Entry::getKey)
                .toList();
        if (!unknown.isEmpty()) {
            LOG.debug("waiting for the informers of {}", unknown);
        }
        return unknown;
    }

    /** For each watched kind that the API server does not serve: its name, and what to install. */
    public List<String> absent() {
        return Stream.of(
                        clusters,
                        machines.machines(),
                        machines.deployments(),
                        machines.sets(),
                        machines.configs(),
                        install.deployments(),
                        install.imageSets(),
                        install.installs())
                .map(Source::absence)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** For each watched kind that RBAC forbids to watch: its name, and the missing right. */
    public List<String> forbidden() {
        return Stream.of(
                        clusters,
                        machines.machines(),
                        machines.standalone(),
                        machines.deployments(),
                        machines.sets(),
                        machines.configs(),
                        install.deployments(),
                        install.imageSets(),
                        install.installs(),
                        install.clusterSecrets(),
                        install.kubeconfigSources())
                .map(Source::missingRight)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /**
     * Takes a snapshot of the caches.
     *
     * @throws ObjectsNotHeldException if objects of the namespace are missing in them
     */
    public ControlPlaneObservation observe(OpenshiftAssistedControlPlane controlPlane) {
        String namespace = controlPlane.getMetadata().getNamespace();
        held.accept(namespace);
        String name = controlPlane.getMetadata().getName();
        String owner = ControlPlaneMappers.clusterName(controlPlane);
        String clusterName = owner == null ? name : owner;
        ControlPlaneIdentity identity = new ControlPlaneIdentity(controlPlane, clusterName);
        AgentClusterInstall existing = install.installs().get(namespace, name).orElse(null);
        String imageSet = ImageSet.nameInUse(identity, existing);
        List<Machine> owned = machines.machines().of(controlPlane).stream()
                .filter(machine -> identity.controls(machine) || ControlPlaneMappers.isOrphan(identity, machine))
                .toList();
        return new ControlPlaneObservation(
                identity,
                owner == null ? null : clusters.get(namespace, owner).orElse(null),
                new InstallObjects(
                        install.deployments().get(namespace, name).orElse(null),
                        existing,
                        imageSet,
                        install.imageSets().get(null, imageSet).orElse(null),
                        install.clusterSecrets()
                                .get(namespace, KubeconfigSecret.name(clusterName))
                                .orElse(null)),
                new MachineObjects(
                        owned,
                        infrastructure.of(controlPlane, owned),
                        machines.configs(namespace, clusterName, owned),
                        machines.workers(namespace, clusterName)));
    }

    /** The failure if the API server refuses to list a kind of infrastructure machines. */
    public List<String> forbiddenInfrastructure(ControlPlaneObservation observation) {
        return infrastructure.failure(observation.controlPlane(), observation.machines()).stream()
                .map(ReconcileFailure::message)
                .toList();
    }
}
