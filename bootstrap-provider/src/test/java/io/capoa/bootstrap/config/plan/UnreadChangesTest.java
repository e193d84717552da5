package io.capoa.bootstrap.config.plan;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static io.capoa.bootstrap.config.observe.ConfigObservations.metal3;
import static io.capoa.bootstrap.config.observe.ConfigObservations.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.config.observe.InstallFacts;
import io.capoa.bootstrap.config.report.ConfigReport;
import io.capoa.bootstrap.infrastructure.ContractInfrastructure;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An update that wakes no config must not change what is decided for it, nor what is reported. */
class UnreadChangesTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T03:00:00Z"), ZoneOffset.UTC);
    private static final Duration PATIENCE = Duration.ofMinutes(20);

    private static final List<String> STATES = List.of(
            "",
            "preparing-for-installation",
            "installing",
            "installing-pending-user-action",
            "finalizing",
            "installed",
            "adding-hosts",
            "error",
            "cancelled");

    /** In {@link #MACHINES}, that of the first which is read. */
    private static final int UNREAD = 5;

    /** Machines that differ from the first in one thing; of some infrastructure. */
    private static final List<String> MACHINES = Stream.of(
                    "metadata: {%s}",
                    "metadata: {%s}\nstatus: {initialization: {infrastructureProvisioned: true}}",
                    "metadata: {%s, labels: {team: blue}}",
                    "metadata: {%s, annotations: {note: hello}}",
                    "metadata: {%s}\nstatus: {phase: Provisioning, conditions: [{type: Ready, status: 'False'}]}",
                    "metadata: {%s, labels: {cluster.x-k8s.io/control-plane: ''}}",
                    "metadata: {%s, annotations: {bmac.agent-install.openshift.io/role: arbiter}}",
                    "metadata: {%s, annotations: {" + Annotations.POWER_OFF_HOST + ": ''}}",
                    "metadata: {%s, deletionTimestamp: '2026-01-01T00:00:00Z'}",
                    "metadata: {%s}\nstatus: {nodeRef: {name: n1}}")
            .map(
                    machine -> machine.formatted("namespace: ns, name: m1, uid: machine-uid")
                            + "\nspec: {clusterName: demo, infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: %s, name: m1-infra}}")
            .toList();

    /** Where a config is; all but the last three have no host that was given its boot. */
    enum Situation {
        WITHOUT_INFRA_ENV(() -> complete().infraEnv(null)),
        WITH_INFRA_ENV(ConfigObservations::complete),
        LIVE_ISO(() -> complete().on(metal3("live-iso", "h1"))),
        LATCHED_WITHOUT_INFRA_ENV(() -> complete().latched().infraEnv(null)),
        LATCHED(() -> complete().latched().on(metal3("qcow2", "h1"))),
        TO_BE_REBOOTED(() -> complete().latched().on(metal3("qcow2", "h1")).annotation(Annotations.REBOOT_HOST, "now")),
        REGISTERED(() -> complete().latched().on(metal3("live-iso", "h1")).itsAgent("""
                metadata: {namespace: ns, name: a1}
                spec: {approved: true}
                status: {debugInfo: {state: installing-in-progress}}
                """));

        final Supplier<ConfigObservations> scene;

        Situation(Supplier<ConfigObservations> scene) {
            this.scene = scene;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStateOfTheInstallation_thatIsNotRead_changesNothing(Situation situation) {
        for (boolean completed : List.of(false, true)) {
            for (String before : STATES) {
                for (String after : STATES) {
                    ConfigObservation from = in(situation, before, completed);
                    ConfigObservation to = in(situation, after, completed);
                    if (read(from).equals(read(to))) {
                        assertThat(decided(to)).as("%s after %s", after, before).isEqualTo(decided(from));
                    }
                }
            }
        }
    }

    @Test
    void aHostThatMayBoot_isWokenByTheEndOfTheInstallationOnly() {
        InstallFacts preparing = read(in(Situation.LATCHED, "preparing-for-installation", false));

        assertThat(preparing).isEqualTo(read(in(Situation.LATCHED, "finalizing", false)));
        assertThat(preparing).isNotEqualTo(read(in(Situation.LATCHED, "adding-hosts", false)));
        assertThat(read(in(Situation.WITH_INFRA_ENV, "preparing-for-installation", false)))
                .isNotEqualTo(read(in(Situation.WITH_INFRA_ENV, "finalizing", false)));
    }

    @ParameterizedTest
    @EnumSource
    void theRelease_isReadOfTheClusterOfALiveIsoOnly(Situation situation) {
        ConfigObservation from =
                situation.scene.get().installed().release("4.20.3").get();
        ConfigObservation to =
                situation.scene.get().installed().release("4.21.1").get();

        assertThat(from.infrastructure().isLiveIso() || decided(to).equals(decided(from)))
                .isTrue();
    }

    /** Where Metal3 gives the host, and where only the contract of Cluster API is known. */
    @ParameterizedTest
    @EnumSource
    void aChangeOfTheMachine_thatIsNotKept_changesNothing(Situation situation) {
        for (String infrastructure : List.of("Metal3Machine", "OtherMachine")) {
            for (String before : MACHINES) {
                for (String after : MACHINES) {
                    String from = before.formatted(infrastructure);
                    String to = after.formatted(infrastructure);
                    if (yaml(from, Machine.class).equals(yaml(to, Machine.class))) {
                        assertThat(decided(on(situation, to)))
                                .as("%s after %s", to, from)
                                .isEqualTo(decided(on(situation, from)));
                    }
                }
            }
        }
    }

    @Test
    void ofAMachineOnMetal3_neitherProgressNorLabelsOfOthersAreKept() {
        List<Machine> kept = MACHINES.stream()
                .map(machine -> yaml(machine.formatted("Metal3Machine"), Machine.class))
                .toList();

        assertThat(kept.subList(1, UNREAD)).containsOnly(kept.getFirst());
        assertThat(kept.subList(UNREAD, kept.size()))
                .doesNotContain(kept.getFirst())
                .doesNotHaveDuplicates();
        assertThat(yaml(MACHINES.get(1).formatted("OtherMachine"), Machine.class))
                .isNotEqualTo(yaml(MACHINES.getFirst().formatted("OtherMachine"), Machine.class));
    }

    @ParameterizedTest
    @EnumSource
    void aChangeOfTheImagesCondition_thatIsNotKept_changesNothing(Situation situation) {
        List<String> infraEnvs = Stream.of(
                        "",
                        "{type: ImageCreated, status: 'True', reason: ImageCreated, message: made}",
                        "{type: ImageCreated, status: 'True', reason: ImageCreated, message: made again}",
                        "{type: ImageCreated, status: 'False', reason: ImageCreationError, message: no space}")
                .map(
                        "metadata: {namespace: ns, name: m1, labels: {bootstrap.cluster.x-k8s.io/openshiftAssistedConfig: c1}}\nstatus: {isoDownloadURL: 'http://a/iso', bootArtifacts: {discoveryIgnitionURL: 'http://a/ign'}, conditions: [%s]}"
                                ::formatted)
                .toList();
        assertThat(infraEnvs.stream().map(each -> yaml(each, InfraEnv.class)).distinct())
                .as("without one, or True; False")
                .hasSize(2);
        for (String before : infraEnvs) {
            for (String after : infraEnvs) {
                if (yaml(before, InfraEnv.class).equals(yaml(after, InfraEnv.class))) {
                    assertThat(decided(with(situation, after))).isEqualTo(decided(with(situation, before)));
                }
            }
        }
    }

    /** The Machine as Cluster API writes it. */
    private static ConfigObservation on(Situation situation, String yaml) {
        Machine machine = whole(yaml, Machine.class);
        MachineView view = MachineView.of(machine);
        ConfigObservations scene = situation.scene.get().machine(machine);
        return "Metal3Machine".equals(view.infrastructureRef().kind())
                ? scene.get()
                : scene.on(new ContractInfrastructure(view.isInfrastructureProvisioned()))
                        .get();
    }

    /** The InfraEnv as assisted-service writes it. */
    private static ConfigObservation with(Situation situation, String infraEnv) {
        return situation.scene.get().infraEnv(whole(infraEnv, InfraEnv.class)).get();
    }

    private static <R> R whole(String yaml, Class<R> kind) {
        return Serialization.unmarshal("---\n" + yaml, kind);
    }

    private static ConfigObservation in(Situation situation, String state, boolean completed) {
        ConfigObservations scene = situation.scene.get();
        return (completed ? scene.installed() : scene)
                .installState(state.isEmpty() ? "''" : state)
                .get();
    }

    private static InstallFacts read(ConfigObservation seen) {
        return Objects.requireNonNull(seen.install()).readBy(seen.config(), seen.infraEnv() != null);
    }

    /** All that a reconcile makes of an observation, but for the bytes of the data. */
    private static Map<String, Object> decided(ConfigObservation seen) {
        LostHost lost = LostHost.of(seen, PATIENCE, CLOCK.instant());
        ConfigPlan plan = ConfigPlan.of(seen).with(lost);
        return Map.of(
                "lost", lost,
                "infraEnv", String.valueOf(plan.infraEnv()),
                "boot", plan.boot(),
                "data", List.of(plan.data().available(), plan.data().blocker()),
                "agents", plan.agents(),
                "status", ConfigReport.of(seen, plan, Verdict.PASSING, CLOCK));
    }
}
