package io.capoa.bootstrap.config.plan;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Machine;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.infrastructure.ExampleInfrastructure;
import io.capoa.bootstrap.infrastructure.ExampleInfrastructure.ExampleMachine;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.runtime.status.Blocker;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** An infrastructure provider that is one class, {@link ExampleInfrastructure}, decides like the others. */
class ThirdInfrastructureTest {

    private static final String STOPPED =
            "{metadata: {namespace: ns, name: x1}, spec: {mac: '%s'}}".formatted(ConfigObservations.MAC);
    private static final String RUNNING =
            "{metadata: {namespace: ns, name: x1}, spec: {mac: '%s', cdrom: '%s'}, status: {running: true, startedAt: '2026-01-01T00:50:00Z'}}"
                    .formatted(ConfigObservations.MAC, ConfigObservations.ISO);
    private static final String AGENT = """
            metadata: {name: a}
            status: {inventory: {hostname: x, disks: [{id: d1, path: /dev/vda, installationEligibility: {eligible: true, notEligibleReasons: []}}]}}
            """;

    @Test
    void theMachineBootsItsIso_andTheDataStaysEmpty() {
        ConfigPlan plan = ConfigPlan.of(complete().on(infrastructure(STOPPED)).get());

        assertThat(plan.boot()).isEqualTo(Map.of("spec", Map.of("cdrom", ConfigObservations.ISO)));
        assertThat(plan.data().secret())
                .satisfies(secret -> assertThat(
                                Objects.requireNonNull(secret).getData().get("value"))
                        .isEmpty());
        assertThat(ConfigPlan.of(
                                complete().latched().on(infrastructure(RUNNING)).get())
                        .boot())
                .isEmpty();
    }

    @Test
    void aMachineThatDoesNotExist_isWaitedFor() {
        ConfigPlan plan = ConfigPlan.of(
                complete().on(ExampleInfrastructure.registered().of(machine())).get());

        assertThat(plan.data().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("WaitingForInfrastructureMachine");
            assertThat(why.message()).contains("ExampleMachine x1 does not exist");
        });
    }

    @Test
    void itsAgentIsRecognised_andGetsNameLabelAndDisk() {
        ConfigPlan plan = ConfigPlan.of(complete()
                .latched()
                .spec("{hostnamePolicy: HostName}")
                .on(infrastructure(RUNNING))
                .itsAgent(AGENT)
                .get());

        assertThat(spec(plan.agents().patch()))
                .containsEntry("hostname", "vm-x1")
                .containsEntry("nodeLabels", Map.of("example.org/machine", "x1"))
                .containsEntry("installation_disk_id", "d1")
                .containsEntry("approved", true);

        ConfigPlan wrong = ConfigPlan.of(complete()
                .latched()
                .on(infrastructure(RUNNING))
                .agent(AGENT, "52:54:00:0b:00:02")
                .get());
        assertThat(wrong.agents().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("WrongHost");
            assertThat(why.message()).contains("a virtual machine with spec.mac", "or correct its spec.mac");
        });
    }

    @Test
    void aHostThatNeverRegistered_isRestarted() {
        ConfigObservation seen = complete()
                .installed()
                .unregisteredSince("2026-01-01T00:10:00Z")
                .on(infrastructure(RUNNING))
                .get();

        LostHost lost = LostHost.of(seen, Duration.ofMinutes(20), Instant.parse("2026-01-01T01:30:00Z"));

        assertThat(lost.patch()).isEqualTo(Map.of("spec", Map.of("restartedFor", "config-uid/automatic")));
        assertThat(lost.blocker())
                .map(Blocker::message)
                .hasValueSatisfying(message -> assertThat(message).contains("ExampleMachine ns/x1", "It is rebooted"));
    }

    @Test
    void anInstalledHost_noLongerBootsTheIso() {
        Agent installed =
                ConfigObservations.yaml("{metadata: {name: a}, status: {progress: {currentStage: Done}}}", Agent.class);

        assertThat(Detachment.patch(
                        complete().latched().on(infrastructure(RUNNING)).get(), installed))
                .isEqualTo(Map.of("spec", Map.of("cdrom", "")));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> spec(Map<String, Object> patch) {
        return (Map<String, Object>) Objects.requireNonNull(patch.get("spec"));
    }

    /** As the provider that is registered for the kind reads it. */
    private static Infrastructure infrastructure(String example) {
        return ExampleInfrastructure.registered(ConfigObservations.yaml(example, ExampleMachine.class))
                .of(machine());
    }

    private static Machine machine() {
        return ConfigObservations.yaml("""
                metadata: {namespace: ns, name: m1}
                spec: {infrastructureRef: {apiGroup: infrastructure.example.org, kind: ExampleMachine, name: x1}}
                """, Machine.class);
    }
}
