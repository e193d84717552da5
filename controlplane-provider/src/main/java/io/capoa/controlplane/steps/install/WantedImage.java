package io.capoa.controlplane.steps.install;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.contract.ClusterImageSetView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.release.Architecture;
import io.capoa.controlplane.release.ReleaseReference;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Chooses the image reference of the release. */
public final class WantedImage {

    /** Default of {@code cpuArchitecture}. */
    private static final String USUAL = "x86_64";

    private WantedImage() {}

    /**
     * The release image by tag, for the architectures of all known hosts; once the installation has started, the
     * running one.
     *
     * <p>A multi-architecture image serves every host: once chosen it is kept even if all hosts turn out to have one
     * architecture, so that the choice does not flap while hosts come and go.
     *
     * @param remembered what the ClusterImageSet stores, {@code null} if nothing
     */
    static String of(ControlPlaneObservation observation, @Nullable ResolvedRelease remembered) {
        String running = ClusterImageSetView.of(observation.imageSet()).releaseImage();
        if (observation.installStarted() && running != null) {
            return running;
        }
        String forAll = image(observation, Architecture.MULTI);
        return remembered != null && remembered.resolvedFrom().equals(forAll)
                ? forAll
                : image(observation, Architecture.of(architectures(observation)));
    }

    /** The image by tag of the release that the installed cluster is to be upgraded to. */
    static String ofUpgrade(ControlPlaneObservation observation) {
        return image(observation, Architecture.of(architectures(observation)));
    }

    private static String image(ControlPlaneObservation observation, String architecture) {
        OpenshiftAssistedControlPlaneSpec spec = observation.controlPlane().getSpec();
        String repository =
                Annotations.value(observation.controlPlane(), Annotations.RELEASE_IMAGE_REPOSITORY_OVERRIDE);
        return ReleaseReference.image(spec.distributionVersion(), repository, architecture);
    }

    private static Set<String> architectures(ControlPlaneObservation observation) {
        Set<String> architectures = new TreeSet<>();
        architectures.add(architecture(observation.controlPlane().getSpec().openshiftAssistedConfigSpec()));
        observation.configs().forEach(config -> architectures.add(architecture(config.getSpec())));
        return architectures;
    }

    private static String architecture(@Nullable OpenshiftAssistedConfigSpec spec) {
        String architecture = spec == null ? null : spec.cpuArchitecture();
        return architecture == null || architecture.isEmpty() ? USUAL : architecture;
    }
}
