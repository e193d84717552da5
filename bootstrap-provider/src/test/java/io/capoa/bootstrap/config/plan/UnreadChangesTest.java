package io.capoa.bootstrap.config.plan;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static io.capoa.bootstrap.config.observe.ConfigObservations.metal3;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.config.observe.InstallFacts;
import io.capoa.bootstrap.config.report.ConfigReport;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
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
