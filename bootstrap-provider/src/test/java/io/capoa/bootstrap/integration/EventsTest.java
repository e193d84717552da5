package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.Comparator;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Events for failures of a host and their end. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class EventsTest {

    @Test
    void anInstallationWithoutAFault_makesNone(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withNode("m1", "agent-1");

        scene.provider.awaitRest();

        assertThat(events(scene)).isEmpty();
    }

    @Test
    void aFailureIsRecordedOnce_andItsEnd_howeverOftenBothHappen(ConfigScene scene) {
        scene.ready().machine("m1", "{}").withAgent("m1", "agent-1");

        for (int time = 0; time < 2; time++) {
            scene.agent(
                    "agent-1", "insufficient", "Validated", "False", "ValidationsFailing", "8 GiB of memory needed");
            scene.awaitCondition("m1", "Installed", "False/AgentValidationFailed");
            scene.agent("agent-1", "known", "Validated", "True", "ValidationsPassing", "passing");
            scene.awaitCondition("m1", "Installed", "False/WaitingForInstallation");
        }

        scene.provider.awaitRest();
        assertThat(events(scene))
                .extracting(Event::getType, Event::getReason)
                .containsExactly(Tuple.tuple("Warning", "AgentValidationFailed"), Tuple.tuple("Normal", "Recovered"));
        assertThat(events(scene))
                .extracting(Event::getNote)
                .allSatisfy(note -> assertThat(note).contains("Host agent-1", "8 GiB of memory needed"));
    }

    @Test
    void dataThatIsTooLargeForTheUserDataOfACloud_isNamedForAnotherProvidersMachine(ConfigScene scene) {
        scene.server.answer = "{\"ignition\":{\"version\":\"3.1.0\"},\"x\":\"" + "a".repeat(20_000) + "\"}";
        scene.ready().machine("metal", "{}").withData("metal");
        Machine machine = scene.create(
                Machine.class, ConfigSamples.machine("cloud", "").replace("kind: Metal3Machine", "kind: CloudMachine"));
        var unused = scene.config(
                "cloud-config",
                "",
                ConfigSamples.machineOwner("cloud", machine.getMetadata().getUid()),
                "{}");
        scene.withData("cloud").provider.awaitRest();

        assertThat(events(scene)).singleElement().satisfies(event -> {
            assertThat(event.getReason()).isEqualTo("UserDataTooLarge");
            assertThat(event.getRegarding().getName()).isEqualTo("cloud-config");
            assertThat(event.getNote()).contains("AWS (16384 bytes)", "discoveryIgnition Reference");
        });
    }

    @Test
    void anEventIsAboutTheConfig_asClientsLookForIt(ConfigScene scene) {
        var config = scene.config("m1-config", "", scene.machinePoolOwner(), "{}");

        ConfigScene.soon("the event").until(() -> events(scene).size() == 1);

        Event event = events(scene).getFirst();
        assertThat(event.getReportingController()).isEqualTo("capoa-bootstrap");
        assertThat(event.getReportingInstance()).isNotEmpty();
        assertThat(event.getAction()).isEqualTo("Reconcile");
        assertThat(event.getEventTime().getTime()).isNotEmpty();
        assertThat(event.getRegarding().getApiVersion()).isEqualTo(config.getApiVersion());
        assertThat(event.getRegarding().getKind()).isEqualTo("OpenshiftAssistedConfig");
        assertThat(event.getRegarding().getUid()).isEqualTo(config.getMetadata().getUid());
        // In the core group, as kubectl describe requests them.
        assertThat(scene.cluster
                        .admin()
                        .v1()
                        .events()
                        .inNamespace(scene.namespace)
                        .withField("involvedObject.name", "m1-config")
                        .withField("involvedObject.uid", config.getMetadata().getUid())
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(core -> assertThat(core.getMessage()).contains("MachinePool is not supported"));
    }

    @Test
    void anotherManager_recordsNothingAgain(ConfigScene scene) {
        try (ConfigScene restarted = new ConfigScene(scene.cluster, "events-restarted")) {
            BootstrapProcess first = start(restarted);
            restarted.ready().machine("m1", "{pullSecretRef: {name: mine}}");
            ConfigScene.soon("the event").until(() -> events(restarted).size() == 1);
            // The status, which is written with the Event, prevents repetition.
            restarted.awaitCondition("m1", "DataSecretAvailable", "False/PullSecretNotFound");
            first.kill();

            try (BootstrapProcess second = start(restarted)) {
                restarted.edit(
                        OpenshiftAssistedConfig.class,
                        "m1-config",
                        config -> config.getMetadata().getLabels().put("touched", "once"));
                restarted.machine("m2", "{pullSecretRef: {name: mine}}");
                ConfigScene.soon("the event of another config")
                        .until(() -> events(restarted).size() > 1);
                restarted.provider.awaitRest();
                assertThat(second.figures().cpuSeconds()).isPositive();
            }

            assertThat(events(restarted))
                    .extracting(event -> event.getRegarding().getName())
                    .containsExactlyInAnyOrder("m1-config", "m2-config");
        }
    }

    private static BootstrapProcess start(ConfigScene scene) {
        return BootstrapProcess.start(
                scene.cluster, "--namespace=" + scene.namespace, "--watch-filter=" + scene.watchFilter());
    }

    /** In the order in which they were recorded. */
    private static List<Event> events(ConfigScene scene) {
        return scene.cluster.admin().events().v1().events().inNamespace(scene.namespace).list().getItems().stream()
                .sorted(Comparator.comparing(event -> event.getEventTime().getTime()))
                .toList();
    }
}
