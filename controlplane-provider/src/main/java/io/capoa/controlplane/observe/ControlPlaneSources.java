package io.capoa.controlplane.observe;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.machines.Machines;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.failure.ObjectsNotHeldException;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.Source;
import io.capoa.runtime.watch.Unwatched;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;

/** Event sources of the control plane reconciler, and the snapshot of their caches. */
public final class ControlPlaneSources {

    /** Index and primary key: Cluster of an object. */
    static final String CLUSTER = "cluster";

    private final EventSources<OpenshiftAssistedControlPlane> eventSources;
    private final Source<Cluster> clusters;
    private final MachineSources machines;
    private final InstallSources install;
    private final InfrastructureMachines infrastructure;

    /** Declares the event sources. */
    public ControlPlaneSources(
            EventSources<OpenshiftAssistedControlPlane> eventSources, KubernetesClient client, Contracts contracts) {
        this.eventSources = eventSources;
        infrastructure = new InfrastructureMachines(
                client,
                eventSources.namespaces(),
                contracts,
                ControlPlaneMappers::labelled,
                eventSources::store,
                eventSources.debouncer());
        eventSources.add(infrastructure.source());
        eventSources.primaryKey(
                CLUSTER,
                controlPlane -> Optional.ofNullable(ControlPlaneMappers.clusterName(controlPlane)).stream()
                        .toList());
        clusters = eventSources
                .on(Cluster.class)
                .pruned(PeerPruning::cluster)
                .enqueuesByKey(CLUSTER, cluster -> List.of(cluster.getMetadata().getName()))
                .source();
        install = InstallSources.declare(eventSources);
        machines = MachineSources.declare(eventSources, install);
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

    /** The kinds that a reconcile has to wait for now. */
    public Unwatched unwatched() {
        return eventSources.unwatched();
    }

    /**
     * Takes a snapshot of the caches.
     *
     * @throws ObjectsNotHeldException if objects of the namespace are missing in them
     */
    public ControlPlaneObservation observe(OpenshiftAssistedControlPlane controlPlane) {
        String namespace = controlPlane.getMetadata().getNamespace();
        eventSources.requireHeld(namespace);
        String name = controlPlane.getMetadata().getName();
        String owner = ControlPlaneMappers.clusterName(controlPlane);
        String clusterName = owner == null ? name : owner;
        ControlPlaneIdentity identity = new ControlPlaneIdentity(controlPlane, clusterName);
        AgentClusterInstall existing = install.installs().get(namespace, name).orElse(null);
        String imageSet = ImageSet.nameInUse(identity, existing);
        Machines owned = Machines.of(machines.machines().of(controlPlane).stream()
                .filter(machine -> identity.controls(machine) || ControlPlaneMappers.isOrphan(identity, machine))
                .toList());
        return new ControlPlaneObservation(
                identity,
                owner == null ? null : clusters.get(namespace, owner).orElse(null),
                install.deployments().get(namespace, name).orElse(null),
                existing,
                imageSet,
                install.imageSets().get(null, imageSet).orElse(null),
                install.clusterSecrets()
                        .get(namespace, KubeconfigSecret.name(clusterName))
                        .orElse(null),
                owned,
                infrastructure.of(controlPlane, owned),
                machines.configs(namespace, clusterName, owned),
                machines.workers(namespace, clusterName));
    }

    /** The failure if the API server refuses to list a kind of infrastructure machines. */
    public List<String> forbiddenInfrastructure(ControlPlaneObservation observation) {
        return infrastructure.failure(observation.controlPlane(), observation.machines()).stream()
                .map(ReconcileFailure::message)
                .toList();
    }
}
