package io.capoa.controlplane.observe;

import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.InstallState;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.Source;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Event sources of the install objects.
 *
 * @param clusterSecrets Secrets {@code <cluster>-kubeconfig}
 * @param kubeconfigSources Secrets in which assisted-service publishes kubeconfigs
 */
record InstallSources(
        Source<ClusterDeployment> deployments,
        Source<AgentClusterInstall> installs,
        Source<ClusterImageSet> imageSets,
        Source<Secret> clusterSecrets,
        Source<Secret> kubeconfigSources) {

    private static final String IMAGE_SET = "imageSet";
    private static final String RESOLVED_FROM = "resolvedFrom";

    /** Secrets with bootstrap data have the label of their Cluster as well, and are the larger ones. */
    private static final String WITHOUT_BOOTSTRAP_DATA = Labels.CLUSTER_NAME + ",!" + Labels.CONFIG_NAME;

    static InstallSources declare(EventSources<OpenshiftAssistedControlPlane> eventSources) {
        Source<ClusterDeployment> deployments = eventSources
                .on(ClusterDeployment.class)
                // Hive reports a dozen conditions there.
                .pruned(PeerPruning::specOnly)
                .enqueues(ControlPlaneMappers::sameName)
                .source();
        Source<AgentClusterInstall> installs = eventSources
                .on(AgentClusterInstall.class)
                .pruned(PeerPruning::install)
                .statusWaits(InstallSources::steps)
                .progressWaits(install -> InstallState.of(install).advances())
                .enqueues(ControlPlaneMappers::sameName)
                .index(
                        IMAGE_SET,
                        install -> Stream.ofNullable(ImageSet.referred(install)).toList())
                .source();
        Source<ClusterImageSet> imageSets = eventSources
                .on(ClusterImageSet.class)
                .enqueues(imageSet -> usersOf(imageSet, installs))
                .index(
                        RESOLVED_FROM,
                        imageSet -> ImageSet.stored(imageSet)
                                .map(release -> List.of(release.resolvedFrom()))
                                .orElse(List.of()))
                .source();
        return new InstallSources(
                deployments, installs, imageSets, clusterSecrets(eventSources), kubeconfigSources(eventSources));
    }

    /** By which the control plane takes its next step. */
    private static Object steps(AgentClusterInstall install) {
        InstallState state = InstallState.of(install);
        return List.of(state.started(), state.apiServes(), state.completed(), state.failed());
    }

    private static Source<Secret> clusterSecrets(EventSources<OpenshiftAssistedControlPlane> eventSources) {
        return eventSources
                .on(Secret.class)
                .named("cluster-secrets")
                .labelled(WITHOUT_BOOTSTRAP_DATA)
                .pruned(ControlPlaneMappers::onlyKubeconfig)
                .enqueuesByKey(
                        ControlPlaneSources.CLUSTER,
                        secret -> ControlPlaneMappers.isKubeconfig(secret)
                                ? ControlPlaneMappers.clusterLabel(secret)
                                : List.of())
                .source();
    }

    private static Source<Secret> kubeconfigSources(EventSources<OpenshiftAssistedControlPlane> eventSources) {
        return eventSources
                .on(Secret.class)
                .named("kubeconfig-sources")
                .labelled("hive.openshift.io/secret-type=kubeconfig")
                .pruned(ControlPlaneMappers::onlySource)
                .enqueues(ControlPlaneMappers::clusterDeployment)
                .source();
    }

    /** AgentClusterInstalls in all watched namespaces that reference a ClusterImageSet. */
    List<AgentClusterInstall> installsWith(String imageSet) {
        return installs.byIndex(IMAGE_SET, imageSet);
    }

    /** ClusterImageSets of all control planes that store the digest of an image reference. */
    List<ClusterImageSet> imageSetsOf(String image) {
        return imageSets.byIndex(RESOLVED_FROM, image);
    }

    /** The ClusterImageSet's control plane, and all others that use it and may adopt it. */
    private static Set<ResourceID> usersOf(ClusterImageSet imageSet, Source<AgentClusterInstall> installs) {
        List<AgentClusterInstall> users =
                installs.byIndex(IMAGE_SET, imageSet.getMetadata().getName());
        return Stream.concat(ImageSet.ownerOf(imageSet).stream(), users.stream().map(ResourceID::fromResource))
                .collect(Collectors.toSet());
    }
}
