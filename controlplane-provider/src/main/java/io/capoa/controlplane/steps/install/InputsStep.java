package io.capoa.controlplane.steps.install;

import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageRegistry;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.InstallManifests;
import io.capoa.controlplane.mirror.MirrorConfigMap;
import io.capoa.controlplane.mirror.MirrorRegistry;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.lint.manifest.ManifestReader;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ConfigMaps that the spec references: mirror registries and manifests, which are linted where they have the
 * user's cloud controller manager. After the installation has started
 * only the mirror registries are read, and only if the release has to be resolved again.
 */
public final class InputsStep {

    /** Reads a ConfigMap by namespace and name; {@code null} if it does not exist. */
    public interface ConfigMaps extends BiFunction<String, String, @Nullable ConfigMap> {}

    /**
     * The result.
     *
     * @param mirrors {@code null} if there are none, or none that are valid
     * @param problem prevents the start of the installation
     * @param watched ConfigMaps whose change requeues
     */
    public record Inputs(
            @Nullable MirrorRegistry mirrors, @Nullable Problem problem, Set<Target> watched) {}

    /**
     * A ConfigMap is missing or invalid.
     *
     * @param ofMirrors whether it affects access to the registries
     */
    public record Problem(Blocker blocker, boolean ofMirrors) {

        /** Whether the blocker is to be reported before anything else is done: the input is not judged yet. */
        public boolean isAnnouncement() {
            return blocker.reason().equals(ControlPlaneConditions.CHECKING_MANIFESTS);
        }
    }

    /** @param version of the ConfigMap */
    private record RefusedMirrors(String version, MirrorRegistry.Reading.Unusable reading) {}

    /** Control planes whose ConfigMaps are in memory at a time: tenants can make 4 MiB of them for each. */
    private static final int AT_ONCE = 2;

    private final Semaphore reading = new Semaphore(AT_ONCE, true);
    private final Map<ResourceID, RefusedMirrors> refused = new ConcurrentHashMap<>();
    private final ConfigMaps configMaps;
    private final CloudControllerManagerCheck check;
    private final InputMemory memory;
    private final Function<ConfigMap, MirrorRegistry.Reading> mirrorReader;

    public InputsStep(ConfigMaps configMaps, CloudControllerManagerCheck check, InputMemory memory) {
        this(configMaps, check, memory, MirrorRegistry::read);
    }

    InputsStep(
            ConfigMaps configMaps,
            CloudControllerManagerCheck check,
            InputMemory memory,
            Function<ConfigMap, MirrorRegistry.Reading> mirrorReader) {
        this.configMaps = configMaps;
        this.check = check;
        this.memory = memory;
        this.mirrorReader = mirrorReader;
    }

    public Inputs read(ControlPlaneObservation observation) {
        ControlPlaneIdentity identity = observation.identity();
        boolean started = observation.installStarted();
        if (started) {
            check.forget(ResourceID.fromResource(observation.controlPlane()));
        }
        if (started
                && ImageSet.storedFor(identity, observation.imageSet()) != null
                && !asksForOtherRelease(observation)) {
            return new Inputs(null, null, Set.of());
        }
        Set<Target> watched = new HashSet<>();
        MirrorRegistry mirrors = null;
        String chosen = ImageRegistry.chosen(identity);
        if (chosen != null) {
            Optional<String> problem = ObjectName.problem("spec.config.imageRegistryRef.name", chosen);
            if (problem.isPresent()) {
                return new Inputs(
                        null,
                        new Problem(new Blocker(ControlPlaneConditions.IMAGE_REGISTRY_INVALID, problem.get()), true),
                        watched);
            }
            watched.add(Target.configMap(identity.namespace(), chosen));
            ConfigMap map = configMaps.apply(identity.namespace(), chosen);
            if (map == null) {
                return new Inputs(null, absentMirrors(identity, chosen), watched);
            }
            switch (mirrors(observation.controlPlane(), map)) {
                case MirrorRegistry.Reading.Usable usable -> mirrors = usable.registry();
                case MirrorRegistry.Reading.Unusable unusable -> {
                    return new Inputs(
                            null,
                            new Problem(
                                    new Blocker(ControlPlaneConditions.IMAGE_REGISTRY_INVALID, unusable.message()),
                                    true),
                            watched);
                }
            }
        }
        return new Inputs(mirrors, started ? null : manifestsInTurn(identity, mirrors, watched), watched);
    }

    private @Nullable Problem manifestsInTurn(
            ControlPlaneIdentity identity, @Nullable MirrorRegistry mirrors, Set<Target> watched) {
        if (InstallManifests.chosen(identity).isEmpty()) {
            return manifests(identity, mirrors, watched);
        }
        reading.acquireUninterruptibly();
        try {
            return manifests(identity, mirrors, watched);
        } finally {
            reading.release();
        }
    }

    /** What could not be used is not parsed again while it stays the same. */
    private MirrorRegistry.Reading mirrors(OpenshiftAssistedControlPlane controlPlane, ConfigMap map) {
        ResourceID id = ResourceID.fromResource(controlPlane);
        String version = CloudControllerManagerCheck.version(map);
        RefusedMirrors before = refused.get(id);
        if (before != null && before.version().equals(version)) {
            return before.reading();
        }
        MirrorRegistry.Reading reading = unlessRefused(controlPlane, map);
        if (reading instanceof MirrorRegistry.Reading.Unusable unusable) {
            refused.put(id, new RefusedMirrors(version, unusable));
        } else {
            refused.remove(id);
        }
        return reading;
    }

    private MirrorRegistry.Reading unlessRefused(OpenshiftAssistedControlPlane controlPlane, ConfigMap map) {
        String digest = memory.digest(MirrorRegistry.content(map));
        Optional<String> before = InputMemory.refusal(controlPlane, digest);
        if (before.isPresent()) {
            return new MirrorRegistry.Reading.Unusable(before.get());
        }
        MirrorRegistry.Reading reading = mirrorReader.apply(map);
        return reading instanceof MirrorRegistry.Reading.Unusable unusable
                ? new MirrorRegistry.Reading.Unusable(InputMemory.refused(unusable.message(), digest))
                : reading;
    }

    /** An upgrade to a release that only the registry knows needs the mirrors. */
    private static boolean asksForOtherRelease(ControlPlaneObservation observation) {
        var status = observation.controlPlane().getStatus();
        var spec = observation.controlPlane().getSpec();
        boolean asksRegistry = spec.version() != null
                || (spec.upgrade() != null && Boolean.TRUE.equals(spec.upgrade().allowExplicitUpgrade()));
        return asksRegistry && status != null && !spec.distributionVersion().equals(status.distributionVersion());
    }

    private @Nullable Problem manifests(
            ControlPlaneIdentity identity, @Nullable MirrorRegistry mirrors, Set<Target> watched) {
        List<ConfigMap> maps = new ArrayList<>();
        long length = 0;
        Problem absent = null;
        for (String name : InstallManifests.chosen(identity)) {
            Optional<String> problem = ObjectName.problem("spec.config.manifestsConfigMapRefs[].name", name);
            if (problem.isPresent()) {
                return new Problem(new Blocker(ControlPlaneConditions.MANIFESTS_INVALID, problem.get()), false);
            }
            watched.add(Target.configMap(identity.namespace(), name));
            ConfigMap map = configMaps.apply(identity.namespace(), name);
            if (map != null) {
                length += InstallManifests.length(map);
                if (length > ManifestReader.CHARACTERS) {
                    return new Problem(
                            new Blocker(
                                    ControlPlaneConditions.MANIFESTS_INVALID,
                                    "the manifests of spec.config.manifestsConfigMapRefs are longer than %d MiB together:"
                                                    .formatted(ManifestReader.CHARACTERS >> 20)
                                            + " remove what the installation does not need"),
                            false);
                }
                maps.add(map);
            } else if (absent == null) {
                absent = absentManifests(identity, name);
            }
        }
        if (absent != null) {
            return absent;
        }
        List<ConfigMap> all = new ArrayList<>(maps);
        if (mirrors != null) {
            all.add(MirrorConfigMap.desired(identity, mirrors));
        }
        String problem = InstallManifests.problem(all);
        if (problem != null) {
            return new Problem(
                    new Blocker(
                            ControlPlaneConditions.MANIFESTS_INVALID,
                            "the manifests of spec.config.manifestsConfigMapRefs cannot be used: " + problem),
                    false);
        }
        Blocker blocker = check.check(identity, maps);
        return blocker == null ? null : new Problem(blocker, false);
    }

    /** Drops what is remembered of a control plane. */
    public void forget(ResourceID controlPlane) {
        refused.remove(controlPlane);
        check.forget(controlPlane);
    }

    private static Problem absentMirrors(ControlPlaneIdentity identity, String name) {
        return new Problem(
                new Blocker(
                        ControlPlaneConditions.IMAGE_REGISTRY_INVALID,
                        "ConfigMap %s, which spec.config.imageRegistryRef names, does not exist in namespace %s: create it"
                                .formatted(name, identity.namespace())),
                true);
    }

    private static Problem absentManifests(ControlPlaneIdentity identity, String name) {
        return new Problem(
                new Blocker(
                        ControlPlaneConditions.MANIFESTS_NOT_FOUND,
                        "ConfigMap %s, which spec.config.manifestsConfigMapRefs names, does not exist in namespace %s: create it"
                                .formatted(name, identity.namespace())),
                false);
    }
}
