package io.capoa.controlplane.steps.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.steps.install.InputsStep.Inputs;
import io.capoa.controlplane.steps.install.InputsStep.Problem;
import io.capoa.controlplane.testing.LinterManifests;
import io.capoa.controlplane.testing.Objects;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading of the ConfigMaps that the spec references. */
class InputsStepTest {

    private static final String CONF = "[[registry]]\nlocation='quay.io'\n[[registry.mirror]]\nlocation='m.lab'\n";

    private final Map<String, ConfigMap> maps = new HashMap<>();
    private final List<RecordedEvent> events = new ArrayList<>();
    private final InputMemory memory = new InputMemory("v1");
    private final CloudControllerManagerCheck check =
            new CloudControllerManagerCheck((controlPlane, event) -> events.add(event), memory);
    private final InputsStep step =
            new InputsStep((namespace, name) -> maps.get(namespace + "/" + name), check, memory);
    private final ControlPlaneIdentity identity =
            Objects.identity("{}", "imageRegistryRef: {name: mirrors}, manifestsConfigMapRefs: [{name: a}, {name: b}]");

    @Test
    void withoutReferences_nothingIsReadOrWatched() {
        assertThat(step.read(ControlPlaneObservations.of(Objects.identity(), null, null))
                        .watched())
                .isEmpty();
    }

    @Test
    void whenTheMirrorsAreMissing_reportsIt_andWatchesForThem() {
        Inputs inputs = read(null);
        assertThat(inputs.problem())
                .isEqualTo(new Problem(
                        new Blocker(
                                "ImageRegistryInvalid",
                                "ConfigMap mirrors, which spec.config.imageRegistryRef names, does not exist in"
                                        + " namespace ns: create it"),
                        true));
        assertThat(inputs.watched()).containsExactly(Target.configMap("ns", "mirrors"));
    }

    @Test
    void mirrorsThatCannotBeUsed_areParsedOnceAVersion() {
        maps.put("ns/mirrors", mirrors("1", "a = 1" + "0".repeat(200_000)));
        String first = read(null).problem().blocker().message();
        assertThat(first).contains("cannot be used: registries.conf is not TOML");
        assertThat(read(null).problem().blocker().message()).isSameAs(first);

        maps.put("ns/mirrors", mirrors("2", CONF));
        assertThat(read(null).mirrors()).isNotNull();
    }

    private static ConfigMap mirrors(String version, String conf) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("mirrors")
                .withNamespace("ns")
                .withResourceVersion(version)
                .endMetadata()
                .addToData("registries.conf", conf)
                .build();
    }

    @Test
    void manifestsOfTwoControlPlanes_areInMemoryAtATime() throws Exception {
        AtomicInteger reading = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        InputsStep slow = new InputsStep(
                (namespace, name) -> {
                    most.accumulateAndGet(reading.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(20_000_000);
                    reading.decrementAndGet();
                    return null;
                },
                check,
                memory);
        try (var reconciles = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Inputs>> all = new ArrayList<>();
            for (int n = 0; n < 12; n++) {
                all.add(reconciles.submit(() -> slow.read(ControlPlaneObservations.of(
                        Objects.identity("{}", "manifestsConfigMapRefs: [{name: a}]"), null, null))));
            }
            for (Future<Inputs> one : all) {
                assertThat(one.get().problem()).isNotNull();
            }
        }
        assertThat(most).hasValue(2);
    }

    @Test
    void manifestsBeyond4Megabytes_areRefused_beforeTheOthersAreRead() {
        List<String> asked = new ArrayList<>();
        InputsStep counting = new InputsStep(
                (namespace, name) -> {
                    asked.add(name);
                    return new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withNamespace(namespace)
                            .endMetadata()
                            .addToBinaryData("a", "A".repeat(1 << 20))
                            .build();
                },
                check,
                memory);
        String names =
                IntStream.range(0, 64).mapToObj("{name: m-%d}"::formatted).collect(Collectors.joining(", "));

        Inputs inputs = counting.read(ControlPlaneObservations.of(
                Objects.identity("{}", "manifestsConfigMapRefs: [" + names + "]"), null, null));

        assertThat(asked).hasSize(4);
        assertThat(inputs.problem())
                .isEqualTo(new Problem(
                        new Blocker(
                                "ManifestsInvalid",
                                "the manifests of spec.config.manifestsConfigMapRefs are longer than 4 MiB together:"
                                        + " remove what the installation does not need"),
                        false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"!!python/object", "../x", "a?watch=true", "A"})
    void anInvalidName_isRejectedWithoutARequest(String name) {
        InputsStep unasked = new InputsStep(
                (namespace, asked) -> {
                    throw new IllegalStateException("asked for " + asked);
                },
                check,
                memory);
        Inputs mirrors = unasked.read(ControlPlaneObservations.of(
                Objects.identity("{}", "imageRegistryRef: {name: '" + name + "'}"), null, null));
        assertThat(mirrors.watched()).isEmpty();
        assertThat(mirrors.problem())
                .isEqualTo(new Problem(
                        new Blocker(
                                "ImageRegistryInvalid",
                                "spec.config.imageRegistryRef.name is \"" + name
                                        + "\", which is not the name of an object: write at most 253 lower-case"
                                        + " letters, digits, - and ."),
                        true));
        Inputs manifests = unasked.read(ControlPlaneObservations.of(
                Objects.identity("{}", "manifestsConfigMapRefs: [{name: '" + name + "'}]"), null, null));
        assertThat(manifests.problem())
                .extracting(problem -> problem.blocker().reason())
                .isEqualTo("ManifestsInvalid");
    }

    @Test
    void whenManifestsAreMissing_namesTheFirst_andWatchesForAll() {
        add("mirrors", "registries.conf", CONF);
        Inputs inputs = read(null);
        assertThat(inputs.problem())
                .isEqualTo(new Problem(
                        new Blocker(
                                "ManifestsNotFound",
                                "ConfigMap a, which spec.config.manifestsConfigMapRefs names, does not exist in"
                                        + " namespace ns: create it"),
                        false));
        assertThat(inputs.watched()).hasSize(3);
        assertThat(inputs.mirrors()).isNotNull();
    }

    @Test
    void aManifestWithAReservedName_isRejected() {
        add("mirrors", "registries.conf", CONF);
        add("a", "a.yaml", "");
        add("b", "image-digest-mirror-set.json", "");
        assertThat(read(null).problem())
                .isEqualTo(new Problem(
                        new Blocker(
                                "ManifestsInvalid",
                                "the manifests of spec.config.manifestsConfigMapRefs cannot be used: key"
                                        + " image-digest-mirror-set.json is in ConfigMap b and in ConfigMap"
                                        + " cp-additional-registry-config: rename one of them, it becomes a file name"),
                        false));
        add("b", "b.yaml", "");
        assertThat(read(null).problem()).isNull();
    }

    @Test
    void onceTheInstallationRuns_nothingIsReadOrWatched() {
        ResolvedRelease release = new ResolvedRelease("r", "r@sha256:1", "1.33.5", "", "");
        Inputs inputs = step.read(ControlPlaneObservations.of(
                identity, "installing", ImageSet.desired(identity, ImageSet.name(identity), release)));
        assertThat(inputs).isEqualTo(new Inputs(null, null, Set.of()));
    }

    @Test
    void whenTheReleaseMustBeResolvedAgain_theMirrorsAreRead() {
        add("mirrors", "registries.conf", CONF);
        Inputs inputs = read("installing");
        assertThat(inputs.mirrors()).isNotNull();
        assertThat(inputs.problem()).isNull();
    }

    @Test
    void onPlatformExternal_theCloudControllerManagerIsLinted() throws IOException {
        ControlPlaneIdentity external = Objects.identity(
                "{}",
                "platform: {type: External, cloudControllerManager: External}, manifestsConfigMapRefs: [{name: a}]");
        add("a", "ccm.yaml", LinterManifests.read("broken/uninitialized-not-tolerated"));

        assertThat(step.read(ControlPlaneObservations.of(external, null, null)).problem())
                .satisfies(problem -> assertThat(problem)
                        .extracting(found -> found.blocker().reason(), Problem::ofMirrors)
                        .containsExactly("CloudControllerManagerManifestsInvalid", false));
        assertThat(step.read(ControlPlaneObservations.of(external, "installing", null))
                        .problem())
                .isNull();
        add("a", "ccm.yaml", LinterManifests.read("good/aws"));
        assertThat(step.read(ControlPlaneObservations.of(external, null, null)).problem())
                .isNull();
        assertThat(events).isEmpty();
    }

    private Inputs read(@Nullable String state) {
        return step.read(ControlPlaneObservations.of(identity, state, null));
    }

    private void add(String name, String key, String content) {
        maps.put(
                "ns/" + name,
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withData(Map.of(key, content))
                        .build());
    }
}
