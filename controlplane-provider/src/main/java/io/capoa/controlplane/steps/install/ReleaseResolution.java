package io.capoa.controlplane.steps.install;

import io.capoa.api.Annotations;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.rules.ImageReference;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.mirror.MirrorRegistry;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.controlplane.release.PullSecret;
import io.capoa.controlplane.release.RegistryAccess;
import io.capoa.controlplane.release.RegistryMirrors;
import io.capoa.controlplane.release.Release;
import io.capoa.controlplane.release.ReleaseRequest;
import io.capoa.controlplane.release.Releases;
import io.capoa.controlplane.upgrade.TargetImage;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.lookup.LookupResult;
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

/** Resolves the release image of a control plane to its digest and versions. */
public final class ReleaseResolution {

    /** Reads a Secret by namespace and name; {@code null} if it does not exist. */
    public interface Secrets extends BiFunction<String, String, @Nullable Secret> {}

    /** Finds the ClusterImageSets that store the digest of an image reference. */
    public interface Memory extends Function<String, List<ClusterImageSet>> {}

    /** Credentials for registries, or what is missing. */
    private record Login(PullSecret credentials, ReleaseState.@Nullable NoCredentials missing) {}

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
        ResolvedRelease remembered = ImageSet.storedFor(identity, observation.imageSet());
        String image = WantedImage.of(observation, remembered);
        if (remembered != null && (remembered.resolvedFrom().equals(image) || observation.installStarted())) {
            return checked(observation, remembered);
        }
        InputsStep.Problem unfit = inputs.problem();
        if (unfit != null && unfit.ofMirrors()) {
            return new ReleaseState.Unavailable(unfit.blocker());
        }
        Login login = login(identity);
        if (login.missing() != null) {
            return login.missing();
        }
        Optional<String> refusal = observation.installStarted()
                ? Optional.empty()
                : login.credentials().refusal();
        if (refusal.isPresent()) {
            String secret = InstallPullSecret.chosen(identity);
            return new ReleaseState.NoCredentials(
                    secret,
                    new Blocker(
                            ControlPlaneConditions.PULL_SECRET_INVALID,
                            "assisted-service refuses Secret %s, which spec.config.pullSecretRef names: %s. Correct it, or remove the entry"
                                    .formatted(secret, refusal.get())));
        }
        Optional<String> unusable = unusable(image);
        if (unusable.isPresent()) {
            return new ReleaseState.Unavailable(
                    new Blocker(ControlPlaneConditions.RELEASE_IMAGE_INVALID, unusable.get()));
        }
        RegistryAccess access = access(inputs);
        recall(image, access);
        return lookup(observation, new ReleaseRequest(image, login.credentials(), access));
    }

    /** The image, by digest, and the Kubernetes version of the release that the installed cluster is to be upgraded to. */
    public TargetImage target(ControlPlaneObservation observation, InputsStep.Inputs inputs) {
        InputsStep.Problem unfit = inputs.problem();
        if (unfit != null && unfit.ofMirrors()) {
            return new TargetImage.Unavailable(unfit.blocker());
        }
        Login login = login(observation.identity());
        if (login.missing() != null) {
            return new TargetImage.Unavailable(login.missing().blocker());
        }
        String image = WantedImage.ofUpgrade(observation);
        Optional<String> unusable = unusable(image);
        if (unusable.isPresent()) {
            return new TargetImage.Unavailable(
                    new Blocker(ControlPlaneConditions.RELEASE_IMAGE_INVALID, unusable.get()));
        }
        ReleaseRequest request = new ReleaseRequest(image, login.credentials(), access(inputs));
        return switch (registry.lookup(ResourceID.fromResource(observation.controlPlane()), request)) {
            case LookupResult.Known<Release> known ->
                new TargetImage.Resolved(known.value().image(), known.value().kubernetesVersion());
            case LookupResult.Pending<Release> ignored -> new TargetImage.Resolving();
            case LookupResult.Failed<Release> failed ->
                new TargetImage.Unavailable(new Blocker(failed.reason(), failed.message()));
        };
    }

    private Login login(ControlPlaneIdentity identity) {
        String chosen = InstallPullSecret.chosen(identity);
        if (chosen == null) {
            return new Login(PullSecret.anonymous(), null);
        }
        Optional<String> problem = ObjectName.problem("spec.config.pullSecretRef.name", chosen);
        if (problem.isPresent()) {
            return missing(null, ControlPlaneConditions.PULL_SECRET_INVALID, problem.get());
        }
        Secret secret = secrets.apply(identity.namespace(), chosen);
        if (secret == null) {
            return missing(
                    chosen,
                    ControlPlaneConditions.PULL_SECRET_NOT_FOUND,
                    "Secret %s, which spec.config.pullSecretRef names, does not exist in namespace %s: create it"
                            .formatted(chosen, identity.namespace()));
        }
        String content = secret.getData() == null ? null : secret.getData().get(InstallPullSecret.KEY);
        return content == null || content.isEmpty()
                ? missing(
                        chosen,
                        ControlPlaneConditions.PULL_SECRET_INVALID,
                        "Secret %s, which spec.config.pullSecretRef names, has no key %s: add it"
                                .formatted(chosen, InstallPullSecret.KEY))
                : new Login(PullSecret.parse(Base64.getDecoder().decode(content)), null);
    }

    private static Login missing(@Nullable String secret, String reason, String message) {
        return new Login(PullSecret.anonymous(), new ReleaseState.NoCredentials(secret, new Blocker(reason, message)));
    }

    /** Names the fields that the image reference is built from, if it is invalid. */
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

    /** The registry's answer by now, if it was still being asked. */
    public ReleaseState again(ControlPlaneObservation observation, ReleaseState before) {
        return before instanceof ReleaseState.Resolving query ? lookup(observation, query.request()) : before;
    }

    private ReleaseState lookup(ControlPlaneObservation observation, ReleaseRequest request) {
        return switch (registry.lookup(ResourceID.fromResource(observation.controlPlane()), request)) {
            case LookupResult.Known<Release> known ->
                checked(observation, resolved(request.image(), known.value(), request.access()));
            case LookupResult.Pending<Release> ignored -> new ReleaseState.Resolving(request);
            case LookupResult.Failed<Release> failed ->
                new ReleaseState.Unavailable(new Blocker(failed.reason(), failed.message()));
        };
    }

    /** Reuses answers that the registry gave for other clusters, or to an earlier manager. */
    private void recall(String image, @Nullable RegistryAccess access) {
        for (ClusterImageSet imageSet : memory.apply(image)) {
            ResolvedRelease stored = ImageSet.stored(imageSet).orElse(null);
            if (stored != null && stored.registryAccess().equals(fingerprint(access)) && isByDigest(stored.image())) {
                Release release = new Release(stored.image(), stored.version(), stored.kubernetesVersion(), List.of());
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

    /** The cluster's own registry configuration; {@code null} if it has none. */
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
                || KubernetesVersion.plain(wanted).equals(KubernetesVersion.plain(release.kubernetesVersion()))
                || observation.installStarted()) {
            return new ReleaseState.Resolved(release);
        }
        return new ReleaseState.Mismatch(
                release,
                "spec.version is %s, but release %s holds Kubernetes v%s: correct it or remove it"
                        .formatted(
                                wanted,
                                observation.controlPlane().getSpec().distributionVersion(),
                                KubernetesVersion.plain(release.kubernetesVersion())));
    }
}
