package io.capoa.controlplane.steps.install;

import io.capoa.api.Annotations;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.mirror.MirrorRegistry;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.release.ImageReference;
import io.capoa.controlplane.release.Lookup;
import io.capoa.controlplane.release.PullSecret;
import io.capoa.controlplane.release.RegistryAccess;
import io.capoa.controlplane.release.RegistryMirrors;
import io.capoa.controlplane.release.Release;
import io.capoa.controlplane.release.ReleaseRequest;
import io.capoa.controlplane.release.Releases;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds out which release image, by digest, a control plane is installed from. */
public final class ReleaseResolution {

    /** Reads a Secret by namespace and name; {@code null} if it does not exist. */
    public interface Secrets extends BiFunction<String, String, @Nullable Secret> {}

    /** The ClusterImageSets that remember what an image reference stood for. */
    public interface Memory extends Function<String, List<ClusterImageSet>> {}

    private final Secrets secrets;
    private final Memory memory;
    private final Releases registry;

    public ReleaseResolution(Secrets secrets, Memory memory, Releases registry) {
        this.secrets = secrets;
        this.memory = memory;
        this.registry = registry;
    }

    public ReleaseState resolve(ControlPlaneObservation observation, InputsStep.Inputs inputs) {
        ControlPlaneIdentity identity = observation.identity();
        ResolvedRelease remembered = ImageSet.remembered(identity, observation.imageSet());
        String image = WantedImage.of(observation, remembered);
        if (remembered != null && (remembered.resolvedFrom().equals(image) || observation.installStarted())) {
            return checked(observation, remembered);
        }
        InputsStep.Problem unfit = inputs.problem();
        if (unfit != null && unfit.ofMirrors()) {
            return new ReleaseState.Unavailable(unfit.blocker());
        }
        PullSecret credentials = PullSecret.anonymous();
        String chosen = InstallPullSecret.chosen(identity);
        if (chosen != null) {
            Optional<String> problem = ObjectName.problem("spec.config.pullSecretRef.name", chosen);
            if (problem.isPresent()) {
                return new ReleaseState.NoCredentials(
                        null, new Blocker(ControlPlaneConditions.PULL_SECRET_INVALID, problem.get()));
            }
            Secret secret = secrets.apply(identity.namespace(), chosen);
            if (secret == null) {
                return new ReleaseState.NoCredentials(
                        chosen,
                        new Blocker(
                                ControlPlaneConditions.PULL_SECRET_NOT_FOUND,
                                "Secret %s, which spec.config.pullSecretRef names, does not exist in namespace %s: create it"
                                        .formatted(chosen, identity.namespace())));
            }
            String content = secret.getData() == null ? null : secret.getData().get(InstallPullSecret.KEY);
            if (content == null || content.isEmpty()) {
                return new ReleaseState.NoCredentials(
                        chosen,
                        new Blocker(
                                ControlPlaneConditions.PULL_SECRET_INVALID,
                                "Secret %s, which spec.config.pullSecretRef names, has no key %s: add it"
                                        .formatted(chosen, InstallPullSecret.KEY)));
            }
            credentials = PullSecret.parse(Base64.getDecoder().decode(content));
        }
        Optional<String> unusable = unusable(image);
        if (unusable.isPresent()) {
            return new ReleaseState.Unavailable(
                    new Blocker(Lookup.Reason.RELEASE_IMAGE_INVALID.toString(), unusable.get()));
        }
        RegistryAccess access = access(inputs);
        recall(image, access);
        return lookup(observation, new ReleaseRequest(image, credentials, access));
    }

    /** Says which fields the name of the release image comes from, if it is none. */
    private static Optional<String> unusable(String image) {
        try {
            ImageReference unused = ImageReference.parse(image);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(
                    "spec.distributionVersion, spec.openshiftAssistedConfigSpec.cpuArchitecture and annotation %s name the release image together: %s"
                            .formatted(Annotations.RELEASE_IMAGE_REPOSITORY_OVERRIDE, e.getMessage()));
        }
    }

    /** What has become of it by now, where the registry was being asked. */
    public ReleaseState again(ControlPlaneObservation observation, ReleaseState before) {
        return before instanceof ReleaseState.Resolving question ? lookup(observation, question.request()) : before;
    }

    private ReleaseState lookup(ControlPlaneObservation observation, ReleaseRequest request) {
        return switch (registry.lookup(ResourceID.fromResource(observation.controlPlane()), request)) {
            case Lookup.Known known ->
                checked(observation, resolved(request.image(), known.release(), request.access()));
            case Lookup.Pending ignored -> new ReleaseState.Resolving(request);
            case Lookup.Failed failed ->
                new ReleaseState.Unavailable(new Blocker(failed.reason().toString(), failed.message()));
        };
    }

    /** What the registry has said to another cluster, or to a manager before this one, need not be asked again. */
    private void recall(String image, @Nullable RegistryAccess access) {
        for (ClusterImageSet imageSet : memory.apply(image)) {
            ResolvedRelease told = ImageSet.told(imageSet).orElse(null);
            if (told != null && told.registryAccess().equals(fingerprint(access)) && isByDigest(told.image())) {
                Release release = new Release(told.image(), told.version(), told.kubernetesVersion(), List.of());
                registry.recall(
                        image,
                        access,
                        release,
                        Instant.parse(imageSet.getMetadata().getCreationTimestamp()));
            }
        }
    }

    private static boolean isByDigest(String image) {
        return image.contains("@sha256:");
    }

    /** How the cluster itself wants registries to be reached; {@code null} where it does not say. */
    private static @Nullable RegistryAccess access(InputsStep.Inputs inputs) {
        MirrorRegistry mirrors = inputs.mirrors();
        return mirrors == null ? null : new RegistryAccess(RegistryMirrors.of(mirrors.conf()), mirrors.caBundle());
    }

    private static String fingerprint(@Nullable RegistryAccess access) {
        return access == null ? "" : access.fingerprint();
    }

    private static ResolvedRelease resolved(String image, Release release, @Nullable RegistryAccess access) {
        return new ResolvedRelease(
                image, release.image(), release.kubernetesVersion(), release.version(), fingerprint(access));
    }

    private static ReleaseState checked(ControlPlaneObservation observation, ResolvedRelease release) {
        String wanted = observation.controlPlane().getSpec().version();
        if (wanted == null
                || wanted.isEmpty()
                || plain(wanted).equals(plain(release.kubernetesVersion()))
                || observation.installStarted()) {
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
