package io.capoa.controlplane.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Cluster;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.release.RegistryAccess;
import io.capoa.controlplane.release.Releases;
import io.capoa.controlplane.steps.install.CloudControllerManagerCheck;
import io.capoa.controlplane.steps.install.InputMemory;
import io.capoa.controlplane.steps.install.InputsStep;
import io.capoa.controlplane.steps.install.ReleaseResolution;
import io.capoa.controlplane.testing.Objects;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The plan of a reconcile while prerequisites are missing. */
class PlannerTest {

    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

    /** The pull secret does not exist, so that no registry is asked. */
    private static final ControlPlaneIdentity WITH_SECRET = Objects.identity("{}", "pullSecretRef: {name: pull}");

    private final Map<String, ConfigMap> maps = new HashMap<>();
    private final Releases releases = Releases.start(RegistryAccess.direct());

    @AfterEach
    void stop() {
        releases.close();
    }

    @Test
    void whenPaused_nothingElseMatters() {
        ControlPlaneIdentity paused = Objects.identity("{" + Annotations.PAUSED + ": ''}", "");
        assertThat(plan(paused, null, 60)).isInstanceOf(Plan.Pause.class);
    }

    @Test
    void whenTheClusterIsMissing_aNewControlPlaneSettles_anOlderOneReportsIt() {
        assertThat(plan(WITH_SECRET, null, 1)).isInstanceOf(Plan.Settle.class);
        assertThat(plan(WITH_SECRET, null, 60))
                .isInstanceOfSatisfying(
                        Plan.Wait.class,
                        wait -> assertThat(wait.blocker().reason()).isEqualTo("WaitingForCluster"));
    }

    @Test
    void whenThePullSecretIsMissing_awaitsItByName() {
        assertThat(plan(WITH_SECRET, cluster(), 60)).isInstanceOfSatisfying(Plan.Wait.class, wait -> {
            assertThat(wait.blocker().reason()).isEqualTo("PullSecretNotFound");
            assertThat(wait.namedObjects()).containsExactly(Target.secret("ns", "pull"));
        });
    }

    @Test
    void aValueOfTheClusterThatCannotBeUsed_keepsHostsFromBeingTaken() {
        ControlPlaneIdentity withAddresses =
                Objects.identity("{}", "apiVIPs: [192.0.2.5], ingressVIPs: [192.0.2.6], clusterName: prod.one");
        assertThat(plan(withAddresses, cluster(), 60)).isInstanceOfSatisfying(Plan.Wait.class, wait -> {
            assertThat(wait.blocker().reason()).isEqualTo("InvalidConfiguration");
            assertThat(wait.blocker().message()).contains("prod.one, has a dot");
        });
    }

    @Test
    void onceTheInstallationHasStarted_itsValuesAreWhatTheyAre() {
        ControlPlaneIdentity installed =
                Objects.identity("{}", "apiVIPs: [192.0.2.5], ingressVIPs: [192.0.2.6], clusterName: prod.one");
        ControlPlaneObservation seen = ControlPlaneObservations.installed(installed);
        java.util.Objects.requireNonNull(seen.install()).getMetadata().setOwnerReferences(List.of(installed.owner()));

        assertThat(Prerequisites.of(
                        ControlPlaneObservations.of(installed, cluster(), seen.install(), null, List.of(), List.of())))
                .isInstanceOf(Prerequisites.Clear.class);
    }

    @Test
    void aLongInput_isAnnouncedBeforeAllElse() {
        ControlPlaneIdentity external = Objects.identity(
                "{}",
                "platform: {type: External, cloudControllerManager: External}, manifestsConfigMapRefs: [{name: long}]");
        maps.put(
                "long",
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("long")
                        .endMetadata()
                        .addToData("a.yaml", "#".repeat(100_000))
                        .build());

        assertThat(plan(external, cluster(), 60)).isInstanceOfSatisfying(Plan.Announce.class, announce -> {
            assertThat(announce.blocker().reason()).isEqualTo("CheckingManifests");
            assertThat(announce.namedObjects()).containsExactly(Target.configMap("ns", "long"));
        });
    }

    private Plan plan(ControlPlaneIdentity identity, @Nullable Cluster cluster, long age) {
        identity.controlPlane().getMetadata().setCreationTimestamp(CREATED.toString());
        InputMemory memory = new InputMemory("v1");
        Planner planner = new Planner(
                new InputsStep(
                        (namespace, name) -> maps.get(name),
                        new CloudControllerManagerCheck((controlPlane, event) -> {}, memory),
                        memory),
                new ReleaseResolution((namespace, name) -> null, image -> List.of(), releases),
                Clock.fixed(CREATED.plusSeconds(age), ZoneOffset.UTC));
        return planner.plan(ControlPlaneObservations.of(identity, cluster, null, null, List.of(), List.of()));
    }

    private static Cluster cluster() {
        return Objects.read(Cluster.class, """
            metadata: {name: one}
            spec: {controlPlaneEndpoint: {host: api.example, port: 6443}}
            status: {initialization: {infrastructureProvisioned: true}}
            """);
    }
}
