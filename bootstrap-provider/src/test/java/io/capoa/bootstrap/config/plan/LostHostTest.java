package io.capoa.bootstrap.config.plan;

import static io.capoa.bootstrap.config.observe.ConfigObservations.ISO;
import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static io.capoa.bootstrap.config.observe.ConfigObservations.metal3;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.infrastructure.Metal3Infrastructure;
import io.capoa.runtime.status.Blocker;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The installation was over at 01:00; a host has 20 minutes from its boot until it registers. */
class LostHostTest {

    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final String BOOTED = "2026-01-01T00:50:00Z";
    private static final Instant LATE = Instant.parse("2026-01-01T01:30:00Z");

    @Test
    void aHostThatWasBootedBeforeTheEnd_andNeverRegistered_isSaid_andRebootedOnce() {
        LostHost lost = decide(lost(), LATE);

        assertThat(lost.blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("HostNotRegistered");
            assertThat(why.message()).contains("BareMetalHost ns/h1", "It is rebooted");
        });
        assertThat(annotations(lost))
                .containsEntry("reboot.metal3.io", "{\"mode\":\"hard\"}")
                .containsEntry(Annotations.REBOOTED_FOR, "config-uid/automatic");

        LostHost again =
                decide(lost().on(host(BOOTED, Map.of(Annotations.REBOOTED_FOR, "config-uid/automatic"))), LATE);
        assertThat(again.patch()).isEmpty();
        assertThat(again.blocker())
                .map(Blocker::message)
                .hasValueSatisfying(message -> assertThat(message)
                        .contains("It has been rebooted", "bootstrap.cluster.x-k8s.io/reboot-host="));
        assertThat(decide(lost().on(host(BOOTED, Map.of(Annotations.REBOOTED_FOR, "other-uid/automatic"))), LATE)
                        .patch())
                .as("what was done for another config does not count")
                .isNotEmpty();
    }

    @Test
    void aHostHasItsTime_andIsLookedAtAgainAfterIt() {
        LostHost early = decide(lost(), Instant.parse("2026-01-01T01:01:00Z"));

        assertThat(early.blocker()).isEmpty();
        assertThat(early.patch()).isEmpty();
        assertThat(early.again()).isEqualTo(Duration.ofMinutes(9));
    }

    @Test
    void aHostThatWasBootedAfterTheEnd_isNotMissed() {
        LostHost later = decide(lost().on(host("2026-01-01T01:05:00Z", Map.of())), LATE);

        assertThat(later).isEqualTo(LostHost.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"installing", "finalizing", "error", "insufficient"})
    void whereTheInstallationIsNotOver_nothingIsDone(String state) {
        assertThat(decide(lost().installState(state), LATE)).isEqualTo(LostHost.NONE);
        LostHost asked = decide(lost().installState(state).annotation(Annotations.REBOOT_HOST, "1"), LATE);
        assertThat(asked.patch()).isEmpty();
        assertThat(asked.blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("WaitingForInstallComplete");
            assertThat(why.message()).contains("BareMetalHost ns/h1", Annotations.REBOOT_HOST);
        });
    }

    @Test
    void aHostThatHasRegistered_orGoes_orIsOff_isNotRebooted() {
        assertThat(decide(lost().itsAgent("metadata: {name: a}"), LATE)).isEqualTo(LostHost.NONE);
        assertThat(decide(lost().going(), LATE)).isEqualTo(LostHost.NONE);
        assertThat(decide(lost().on(metal3("qcow2", null)), LATE)).isEqualTo(LostHost.NONE);
        assertThat(decide(lost().annotation(Annotations.PAUSED, ""), LATE)).isEqualTo(LostHost.NONE);
        Metal3Infrastructure off = host(BOOTED, Map.of());
        Fields.map(Objects.requireNonNull(off.bareMetalHost()), "status").put("poweredOn", false);
        assertThat(decide(lost().on(off), LATE)).isEqualTo(LostHost.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "baremetalhost.metal3.io/detached, has annotation baremetalhost.metal3.io/detached",
        "baremetalhost.metal3.io/paused, has annotation baremetalhost.metal3.io/paused",
        "reboot.metal3.io/other, has been asked for already"
    })
    void aHostThatOthersHoldOrReboot_isNotTouched_andThatIsSaid(String annotation, String words) {
        for (ConfigObservations seen : List.of(lost(), lost().annotation(Annotations.REBOOT_HOST, "1"))) {
            LostHost lost = decide(seen.on(host(BOOTED, Map.of(annotation, ""))), LATE);

            assertThat(lost.patch()).isEmpty();
            assertThat(lost.blocker())
                    .map(Blocker::message)
                    .hasValueSatisfying(message -> assertThat(message).contains(words));
        }
    }

    @Test
    void aHostOfAnotherMachine_isNotTouched() {
        Metal3Infrastructure other = host(BOOTED, Map.of());
        Fields.map(Objects.requireNonNull(other.bareMetalHost()), "spec")
                .put("consumerRef", Map.of("kind", "Metal3Machine", "name", "other"));

        LostHost lost = decide(lost().on(other), LATE);

        assertThat(lost.patch()).isEmpty();
        assertThat(lost.blocker())
                .map(Blocker::message)
                .hasValueSatisfying(message -> assertThat(message).contains("consumerRef", "m1-infra"));
    }

    @Test
    void inDoubtWhetherItHasRegistered_itIsNotRebootedWithoutARequest() {
        ConfigObservations doubtful =
                complete().installed().unregisteredSince("2026-01-01T00:55:00Z").on(host(BOOTED, Map.of()));

        LostHost unasked = decide(doubtful, LATE);
        assertThat(unasked.patch()).isEmpty();
        assertThat(unasked.blocker())
                .map(Blocker::message)
                .hasValueSatisfying(
                        message -> assertThat(message).contains("may have registered before", "Reboot it with"));

        LostHost asked = decide(doubtful.annotation(Annotations.REBOOT_HOST, "now"), LATE);
        assertThat(annotations(asked)).containsEntry(Annotations.REBOOTED_FOR, "config-uid/now");
    }

    @Test
    void aRequest_isDoneOnce_andAnotherValueOnceMore() {
        ConfigObservations asked = lost().annotation(Annotations.REBOOT_HOST, "1");

        assertThat(annotations(decide(asked, LATE))).containsEntry(Annotations.REBOOTED_FOR, "config-uid/1");
        assertThat(decide(asked.on(host(BOOTED, Map.of(Annotations.REBOOTED_FOR, "config-uid/1"))), LATE)
                        .patch())
                .isEmpty();
        assertThat(annotations(decide(asked.annotation(Annotations.REBOOT_HOST, "2"), LATE)))
                .containsEntry(Annotations.REBOOTED_FOR, "config-uid/2");
    }

    @Test
    void aRequest_doesNotInterruptAnInstallation() {
        LostHost lost = decide(
                lost().annotation(Annotations.REBOOT_HOST, "1")
                        .itsAgent("{metadata: {name: a}, status: {debugInfo: {state: installing-in-progress}}}"),
                LATE);

        assertThat(lost).isEqualTo(LostHost.NONE);
    }

    @ParameterizedTest
    @CsvSource({"available, ''", "provisioning, image unreachable", "provisioned, ''"})
    void aHostThatWasGivenAnotherImageThanItsLiveIso_getsTheIso(String state, String error) {
        LostHost lost = decide(complete().on(otherImage(state, error)), LATE);

        assertThat(lost.patch()).isEqualTo(Map.of("spec", Map.of("image", Map.of("url", ISO))));
        assertThat(lost.blocker()).isEmpty();
    }

    @Test
    void anotherImage_isLeftAlone_whileItIsDeployed_orOnceTheHostHasRegistered_orIsHeldOrNotOurs() {
        assertThat(decide(complete().on(otherImage("provisioning", "")), LATE).patch())
                .as("baremetal-operator would record the new one as deployed")
                .isEmpty();
        assertThat(decide(complete().on(otherImage("provisioned", "")).itsAgent("metadata: {name: a}"), LATE)
                        .patch())
                .isEmpty();
        assertThat(decide(complete().on(otherImage("provisioned", "")).going(), LATE)
                        .patch())
                .isEmpty();
        Metal3Infrastructure held = otherImage("provisioned", "");
        Objects.requireNonNull(held.bareMetalHost())
                .getMetadata()
                .setAnnotations(Map.of("baremetalhost.metal3.io/detached", ""));
        assertThat(decide(complete().on(held), LATE).patch()).isEmpty();
        Metal3Infrastructure other = otherImage("provisioned", "");
        Fields.map(Objects.requireNonNull(other.bareMetalHost()), "spec")
                .put("consumerRef", Map.of("kind", "Metal3Machine", "name", "other", "namespace", "ns"));
        assertThat(decide(complete().on(other), LATE).patch()).isEmpty();
        Metal3Infrastructure theirs = otherImage("provisioned", "");
        Fields.map(theirs.machine(), "spec", "image").put("url", "http://images/of-the-user.iso");
        assertThat(decide(complete().on(theirs), LATE).patch()).isEmpty();
    }

    private static Metal3Infrastructure otherImage(String state, String error) {
        Metal3Infrastructure metal3 = (Metal3Infrastructure) metal3("live-iso", "h1");
        Fields.map(metal3.machine(), "spec", "image").put("url", ISO);
        BareMetalHost host = Objects.requireNonNull(metal3.bareMetalHost());
        Fields.map(host, "spec")
                .put(
                        "image",
                        new HashMap<>(Map.of("format", "live-iso", "url", "http://live-iso.invalid/discovery.iso")));
        host.setAdditionalProperty(
                "status", new HashMap<>(Map.of("errorMessage", error, "provisioning", Map.of("state", state))));
        return metal3;
    }

    private static LostHost decide(ConfigObservations seen, Instant now) {
        return LostHost.of(seen.get(), PATIENCE, now);
    }

    private static ConfigObservations lost() {
        return complete().installed().unregisteredSince("2026-01-01T00:10:00Z").on(host(BOOTED, Map.of()));
    }

    private static Metal3Infrastructure host(String booted, Map<String, String> annotations) {
        Metal3Infrastructure metal3 = (Metal3Infrastructure) metal3("qcow2", "h1");
        BareMetalHost host = Objects.requireNonNull(metal3.bareMetalHost());
        host.getMetadata().setAnnotations(annotations);
        Fields.map(host, "spec")
                .put("consumerRef", Map.of("kind", "Metal3Machine", "name", "m1-infra", "namespace", "ns"));
        Map<String, Object> status = new HashMap<>();
        status.put("poweredOn", true);
        status.put("provisioning", Map.of("state", "provisioned"));
        status.put("operationHistory", Map.of("provision", Map.of("end", booted)));
        host.setAdditionalProperty("status", status);
        return metal3;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> annotations(LostHost lost) {
        return (Map<String, Object>) Objects.requireNonNull(Fields.any(lost.patch(), "metadata", "annotations"));
    }
}
