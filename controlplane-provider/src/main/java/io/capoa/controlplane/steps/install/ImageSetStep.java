package io.capoa.controlplane.steps.install;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.ClusterImageSetView;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.runtime.write.Applier;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Applies the ClusterImageSet of a control plane, and deletes or releases it with the control plane. */
public final class ImageSetStep {

    private final ControlPlaneSources sources;
    private final Applier applier;

    public ImageSetStep(ControlPlaneSources sources, Applier applier) {
        this.sources = sources;
        this.applier = applier;
    }

    /** Applies the ClusterImageSet unless it belongs to another owner; returns its name. */
    String apply(ControlPlaneObservation observation, ResolvedRelease release) {
        ControlPlaneIdentity identity = observation.identity();
        String name = observation.imageSetName();
        if (ImageSet.isWritable(identity, name, observation.imageSet())) {
            applier.apply(sources.imageSets(), ImageSet.desired(identity, name, release), observation.imageSet());
        }
        return name;
    }

    /**
     * Completes the owner of a ClusterImageSet that was handed over, or restored with a control plane of the same name.
     */
    void claim(ControlPlaneObservation observation) {
        ClusterImageSet existing = observation.imageSet();
        ControlPlaneIdentity identity = observation.identity();
        if (existing != null && ImageSet.isOf(identity, existing) && !ImageSet.isWrittenBy(identity, existing)) {
            applier.patch(
                    sources.imageSets(),
                    existing,
                    Map.of("metadata", Map.of("annotations", Map.of(ImageSet.OWNER_UID, identity.uid()))));
        }
    }

    /**
     * Why the installation cannot use the ClusterImageSet that its AgentClusterInstall references: it is not this control
     * plane's and has another image, or none. Two control planes of one name share one of the Go provider.
     */
    static Optional<String> obstacle(ControlPlaneObservation observation, ResolvedRelease release) {
        String name = observation.imageSetName();
        ClusterImageSet existing = observation.imageSet();
        String image = ClusterImageSetView.of(existing).releaseImage();
        Optional<ResourceID> owner = Optional.ofNullable(existing).flatMap(ImageSet::ownerOf);
        if (ImageSet.isWritable(observation.identity(), name, existing)
                || release.image().equals(image)
                || release.resolvedFrom().equals(image)) {
            return Optional.empty();
        }
        return Optional.of(
                "AgentClusterInstall %s references ClusterImageSet %s, which %s, and the reference cannot be changed: delete the AgentClusterInstall, it is created again with a ClusterImageSet of its own%s"
                        .formatted(
                                observation.identity().name(),
                                name,
                                existing == null
                                        ? "does not exist"
                                        : "belongs to %s and has the image %s instead of %s"
                                                .formatted(
                                                        owner.map(id -> "control plane " + id)
                                                                .orElse("no control plane"),
                                                        image,
                                                        release.resolvedFrom()),
                                existing == null || owner.isPresent()
                                        ? ""
                                        : "; if the Go provider made it for this control plane, an administrator can hand it over by annotation %s=%s/%s"
                                                .formatted(
                                                        ImageSet.OWNER,
                                                        observation.identity().namespace(),
                                                        observation.identity().name())));
    }

    /**
     * Deletes the control plane's ClusterImageSets; one that another installation references only loses its owner
     * annotation.
     */
    public void release(ControlPlaneIdentity identity) {
        for (ClusterImageSet imageSet : ofControlPlane(identity)) {
            List<AgentClusterInstall> users =
                    sources.installsWith(imageSet.getMetadata().getName());
            boolean others = users.stream().anyMatch(install -> !isOwn(identity, install));
            if (others) {
                applier.patch(
                        sources.imageSets(),
                        imageSet,
                        Map.of("metadata", Map.of("annotations", Collections.singletonMap(ImageSet.OWNER, null))));
            } else {
                applier.delete(imageSet);
            }
        }
    }

    private List<ClusterImageSet> ofControlPlane(ControlPlaneIdentity identity) {
        return Stream.of(ImageSet.name(identity), identity.name())
                .flatMap(name -> sources.imageSets().get(null, name).stream())
                .filter(imageSet -> ImageSet.isWrittenBy(identity, imageSet))
                .toList();
    }

    private static boolean isOwn(ControlPlaneIdentity identity, AgentClusterInstall install) {
        return identity.namespace().equals(install.getMetadata().getNamespace())
                && identity.name().equals(install.getMetadata().getName());
    }
}
