package io.capoa.controlplane.steps.health;

import static io.capoa.controlplane.workload.health.ControlPlaneHealths.*;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.health.ControlPlaneHealth;
import io.capoa.controlplane.workload.health.HealthJudgement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How long an outage has lasted. */
class HealthStepTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ControlPlaneIdentity identity = Objects.identity();
    private final HealthStep step = new HealthStep();

    @Test
    void anOutage_beginsWithTheFirstQueryThatFoundIt_ofWhateverKind() {
        assertThat(judge(healthy(), 0).lostSince()).isNull();
        assertThat(judge(noConnection(), 60).lostSince()).isEqualTo(START.plusSeconds(60));
        HealthJudgement later = judge(etcdFailed(), 119);
        assertThat(later.isLostFor(HealthJudgement.NOTICEABLE)).isTrue();
        assertThat(later.isLostFor(HealthJudgement.LASTING)).isFalse();
        assertThat(later.again()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        HealthJudgement lasting = judge(noConnection(), 120);
        assertThat(lasting.isLostFor(HealthJudgement.LASTING)).isTrue();
        assertThat(lasting.again()).isNull();
    }

    @Test
    void anAnswer_endsIt() {
        judge(noConnection(), 0);
        judge(healthy(), 30);
        assertThat(judge(noConnection(), 59).lostSince()).isEqualTo(START.plusSeconds(59));
    }

    @Test
    void aReconcileThatComesLate_doesNotMakeItLonger() {
        judge(noConnection(), 0);
        assertThat(judge(noConnection(), 0).isLostFor(HealthJudgement.NOTICEABLE))
                .isFalse();
    }

    @Test
    void afterARestart_theConditionsSaySinceWhen() {
        judged(condition("ControlPlaneComponentsHealthy", "ConnectionDown", 10));
        assertThat(judge(noConnection(), 40).lostSince()).isEqualTo(START.plusSeconds(10));
        assertThat(judge(noConnection(), 70).isLostFor(HealthJudgement.LASTING)).isTrue();
    }

    @Test
    void afterARestart_otherReasonsSayNothing() {
        judged(condition("ControlPlaneComponentsHealthy", "HealthUnknown", 10));
        assertThat(judge(noConnection(), 40).lostSince()).isEqualTo(START.plusSeconds(40));
    }

    @Test
    void afterAPause_inWhichNoQueryWasMade_itIsAnotherOutage() {
        judge(noConnection(), 0);
        assertThat(judge(noConnection(), 3600).lostSince()).isEqualTo(START.plusSeconds(3600));
    }

    @Test
    void aControlPlaneThatIsForgotten_begins() {
        judge(noConnection(), 0);
        step.forget(io.javaoperatorsdk.operator.processing.event.ResourceID.fromResource(identity.controlPlane()));
        assertThat(judge(noConnection(), 50).lostSince()).isEqualTo(START.plusSeconds(50));
    }

    @Test
    void aControlPlaneWasWell_ifBothConditionsSaySo_andItsMachinesAreReady() {
        judged(isTrue("EtcdClusterHealthy"), isTrue("ControlPlaneComponentsHealthy"));
        assertThat(HealthStep.wasWell(ControlPlaneObservations.installed(identity, machine("True"))))
                .isTrue();
        assertThat(HealthStep.wasWell(ControlPlaneObservations.installed(identity, machine("True"), machine("False"))))
                .isFalse();
        judged(condition("EtcdClusterHealthy", "NotHealthy", 0), isTrue("ControlPlaneComponentsHealthy"));
        assertThat(HealthStep.wasWell(ControlPlaneObservations.installed(identity)))
                .isFalse();
        judged(isTrue("EtcdClusterHealthy"), condition("ControlPlaneComponentsHealthy", "NotHealthy", 0));
        assertThat(HealthStep.wasWell(ControlPlaneObservations.installed(identity)))
                .isFalse();
        judged();
        assertThat(HealthStep.wasWell(ControlPlaneObservations.installed(identity)))
                .as("never asked")
                .isFalse();
    }

    private static Machine machine(String ready) {
        return Objects.read(
                Machine.class,
                "metadata: {name: m%s}\nstatus: {conditions: [{type: Ready, status: '%1$s'}]}".formatted(ready));
    }

    private HealthJudgement judge(ControlPlaneHealth health, int seconds) {
        ControlPlaneObservation observation = ControlPlaneObservations.of(identity, "installed", null);
        return step.judge(observation, new Observed<>(health, START.plusSeconds(seconds)));
    }

    private void judged(Condition... conditions) {
        OpenshiftAssistedControlPlane controlPlane = identity.controlPlane();
        controlPlane.setStatus(Objects.status(conditions));
    }

    private static Condition isTrue(String type) {
        return new Condition(type, "True", "Healthy", "", START.toString(), 1L);
    }

    private static Condition condition(String type, String reason, int seconds) {
        return new Condition(
                type, "Unknown", reason, "", START.plusSeconds(seconds).toString(), 1L);
    }
}
