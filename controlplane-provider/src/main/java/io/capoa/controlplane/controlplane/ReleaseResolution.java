package io.capoa.controlplane.controlplane;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.release.Architecture;
import io.capoa.controlplane.release.Lookup;
import io.capoa.controlplane.release.PullSecret;
import io.capoa.controlplane.release.Release;
import io.capoa.controlplane.release.ReleaseReference;
import io.capoa.controlplane.release.ReleaseRequest;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Finds out which release image, by digest, a control plane is installed from. */
final class ReleaseResolution {

    /** Reads a Secret by namespace and name; {@code null} if it does not exist. */
    interface Secrets extends BiFunction<String, String, @Nullable Secret> {}

    /** Asks for a release; answers at once and calls back when there is more to say. */
    interface Registry extends BiFunction<ResourceID, ReleaseRequest, Lookup> {}

    private final Secrets secrets;
    private final Registry registry;

    ReleaseResolution(Secrets secrets, Registry registry) {
        this.secrets = secrets;
        this.registry = registry;
    }

    ReleaseState resolve(ControlPlaneObservation observation) {
        ControlPlaneIdentity identity = observation.identity();
        String image = wantedImage(observation);
        ResolvedRelease remembered = ImageSet.remembered(identity, observation.imageSet());
        if (remembered != null
                && (remembered.resolvedFrom().equals(image)
                        || observation.installState().started())) {
            return checked(observation, remembered);
        }
        String chosen = InstallPullSecret.chosen(identity);
        PullSecret credentials = PullSecret.anonymous();
        if (chosen != null) {
            Secret secret = secrets.apply(identity.namespace(), chosen);
            if (secret == null) {
                return new ReleaseState.NoCredentials(
                        chosen,
                        ControlPlaneConditions.PULL_SECRET_NOT_FOUND,
                        "Secret %s, which spec.config.pullSecretRef names, does not exist in namespace %s: create it"
                                .formatted(chosen, identity.namespace()));
            }
            String content = secret.getData() == null ? null : secret.getData().get(InstallPullSecret.KEY);
            if (content == null || content.isEmpty()) {
                return new ReleaseState.NoCredentials(
                        chosen,
                        ControlPlaneConditions.PULL_SECRET_INVALID,
                        "Secret %s, which spec.config.pullSecretRef names, has no key %s: add it"
                                .formatted(chosen, InstallPullSecret.KEY));
            }
            credentials = PullSecret.parse(Base64.getDecoder().decode(content));
        }
        return switch (registry.apply(
                ResourceID.fromResource(observation.controlPlane()), ReleaseRequest.of(image, credentials))) {
            case Lookup.Known known -> checked(observation, resolved(image, known.release()));
            case Lookup.Pending pending -> new ReleaseState.Resolving(pending.image());
            case Lookup.Failed failed ->
                new ReleaseState.Unavailable(failed.reason().toString(), failed.message());
        };
    }

    /** The release image by tag, for all hosts that are known to be part of the cluster. */
    static String wantedImage(ControlPlaneObservation observation) {
        OpenshiftAssistedControlPlaneSpec spec = observation.controlPlane().getSpec();
        List<String> architectures = new ArrayList<>();
        architectures.add(architecture(spec.openshiftAssistedConfigSpec()));
        observation.configs().forEach(config -> architectures.add(architecture(config.getSpec())));
        Map<String, String> annotations =
                observation.controlPlane().getMetadata().getAnnotations();
        String repository = annotations == null ? null : annotations.get(Annotations.RELEASE_IMAGE_REPOSITORY_OVERRIDE);
        return ReleaseReference.image(spec.distributionVersion(), repository, Architecture.of(architectures));
    }

    private static String architecture(@Nullable OpenshiftAssistedConfigSpec spec) {
        String architecture = spec == null ? null : spec.cpuArchitecture();
        return architecture == null ? "" : architecture;
    }

    private static ResolvedRelease resolved(String image, Release release) {
        return new ResolvedRelease(image, release.image(), release.kubernetesVersion(), release.version());
    }

    private static ReleaseState checked(ControlPlaneObservation observation, ResolvedRelease release) {
        String wanted = observation.controlPlane().getSpec().version();
        if (wanted == null
                || wanted.isEmpty()
                || plain(wanted).equals(plain(release.kubernetesVersion()))
                || observation.installState().started()) {
            return new ReleaseState.Resolved(release);
        }
        return new ReleaseState.Mismatch(
                release,
                "spec.version is %s, but release %s holds Kubernetes v%s: correct it or remove it"
                        .formatted(
                                wanted,
                                observation.controlPlane().getSpec().distributionVersion(),
                                plain(release.kubernetesVersion())));
    }

    private static String plain(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }
}
