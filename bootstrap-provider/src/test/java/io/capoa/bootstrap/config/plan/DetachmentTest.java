package io.capoa.bootstrap.config.plan;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static io.capoa.bootstrap.config.observe.ConfigObservations.metal3;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.infrastructure.Metal3Infrastructure;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DetachmentTest {

    private static final String STAGE =
            "{metadata: {name: a}, status: {debugInfo: {state: installing-in-progress}, progress: {currentStage: %s}}}";

    @ParameterizedTest
    @ValueSource(strings = {"Rebooting", "Waiting for ignition", "Configuring", "Joined", "Done"})
    void aHostInstalledFromALiveIso_isDetachedFromItsRebootOn(String stage) {
        assertThat(annotations(patch(host("live-iso", Map.of()), STAGE.formatted(stage))))
                .containsEntry(Annotations.HOST_DETACHED, "{}")
                .containsEntry(Annotations.DETACHED_FOR, "c1");
    }

    @ParameterizedTest
    @CsvSource({"live-iso, Writing image to disk", "live-iso, Failed", "qcow2, Joined"})
    void before_orWithADiskImage_itIsNot(String format, String stage) {
        assertThat(patch(host(format, Map.of()), STAGE.formatted(stage))).isEmpty();
    }

    @Test
    void anInstalledHost_isDetachedWhateverItsStage() {
        assertThat(patch(host("live-iso", Map.of()), """
            metadata: {name: a}
            status: {conditions: [{type: Installed, status: "True", reason: InstallationCompleted}]}
            """)).isNotEmpty();
    }

    @Test
    void beforeTheHostIsDeprovisioned_itIsAttachedAgain_andOnlyIfThisProviderDetachedIt() {
        Metal3Infrastructure ours =
                host("live-iso", Map.of(Annotations.HOST_DETACHED, "{}", Annotations.DETACHED_FOR, "c1"));
        assertThat(patch(ours, STAGE.formatted("Done"))).as("while it lives").isEmpty();

        ours.machine().getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(annotations(patch(ours, STAGE.formatted("Done"))))
                .containsEntry(Annotations.HOST_DETACHED, null)
                .containsEntry(Annotations.DETACHED_FOR, null);

        Metal3Infrastructure theirs = host("live-iso", Map.of(Annotations.HOST_DETACHED, "theirs"));
        assertThat(patch(theirs, STAGE.formatted("Done"))).isEmpty();
        theirs.machine().getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(patch(theirs, STAGE.formatted("Done"))).isEmpty();
    }

    @Test
    void aHostOfAMachineThatIsBeingDeleted_orOfAnother_isNotDetached() {
        assertThat(Detachment.patch(
                        complete()
                                .latched()
                                .going()
                                .on(host("live-iso", Map.of()))
                                .get(),
                        ConfigObservations.yaml(STAGE.formatted("Done"), Agent.class)))
                .isEmpty();
        Metal3Infrastructure other = host("live-iso", Map.of());
        Fields.map(Objects.requireNonNull(other.bareMetalHost()), "spec").put("consumerRef", Map.of("name", "other"));
        assertThat(patch(other, STAGE.formatted("Done"))).isEmpty();
    }

    private static Map<String, Object> patch(Metal3Infrastructure metal3, String agent) {
        return Detachment.patch(complete().latched().on(metal3).get(), ConfigObservations.yaml(agent, Agent.class));
    }

    private static Metal3Infrastructure host(String format, Map<String, String> annotations) {
        Metal3Infrastructure metal3 = (Metal3Infrastructure) metal3(format, "h1");
        BareMetalHost host = Objects.requireNonNull(metal3.bareMetalHost());
        host.getMetadata().setAnnotations(annotations);
        Fields.map(host, "spec")
                .put("consumerRef", Map.of("kind", "Metal3Machine", "name", "m1-infra", "namespace", "ns"));
        host.setAdditionalProperty("status", new HashMap<>(Map.of("provisioning", Map.of("state", "provisioned"))));
        return metal3;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> annotations(Map<String, Object> patch) {
        return (Map<String, Object>) Objects.requireNonNull(Fields.any(patch, "metadata", "annotations"));
    }
}
