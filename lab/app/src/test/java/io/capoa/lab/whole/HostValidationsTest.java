package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hosts that assisted-service rejects: conditions say why and what to do, and the installation continues after the
 * correction.
 */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class HostValidationsTest {

    private static final String HARDWARE = "lab.capoa.io/hardware";
    private static final String POWER = "lab.capoa.io/power";

    @Test
    void aHostTooSmall_andTwoOfOneName_areNamedWithTheRemedy_andCorrected(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.annotateHost(namespace, "host-1", HARDWARE, "memory=8");
        lab.annotateHost(namespace, "host-2", HARDWARE, "hostname=host-0");
        lab.apply(namespace, sample -> WholeLab.withoutWorkers(sample).replaceAll(" *hostnamePolicy: .*\n", ""));

        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(failures(lab, namespace, "AgentValidationFailed"))
                        .hasSize(3)
                        .anySatisfy(failure -> assertThat(failure)
                                .contains(
                                        "Host host-1",
                                        "has-memory-for-role: Require at least 16.00 GiB RAM for role master, found only 8.00 GiB",
                                        "give the host what it lacks"))
                        .filteredOn(failure -> failure.contains("Host host-0"))
                        .hasSize(2)
                        .allSatisfy(failure -> assertThat(failure)
                                .contains("hostname-unique: Hostname host-0 is not unique", "DHCP", "hostnamePolicy")));
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(events(lab, namespace, "AgentValidationFailed"))
                        .hasSizeGreaterThanOrEqualTo(3)
                        .allSatisfy(event -> assertThat(event.getType()).isEqualTo("Warning"))
                        .extracting(Event::getNote)
                        .anySatisfy(note -> assertThat(note).contains("host-1", "has-memory-for-role")));
        assertThat(lab.rows(namespace)).noneMatch(row -> row.ready());
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab.condition(namespace, "Available")
                                .orElseThrow()
                                .message())
                        .contains("the installation has not started", "Machine multinode-", "Host host-1 fails")
                        .contains("hostname-unique"));
        assertThat(lab.condition(namespace, "Ready").orElseThrow().reason()).isEqualTo("HostsNotReady");

        lab.annotateHost(namespace, "host-1", HARDWARE, null);
        lab.annotateHost(namespace, "host-2", HARDWARE, null);

        lab.awaitReady(namespace);
        assertThat(failures(lab, namespace, "AgentValidationFailed")).isEmpty();
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(events(lab, namespace, "Recovered"))
                        .extracting(event -> event.getRegarding().getName())
                        .hasSize(3)
                        .doesNotHaveDuplicates());
    }

    @Test
    void aHostThatLosesPowerBeforeTheInstallation_isNamed_andHoldsItBack_untilItAnswers(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.peers().assistedService().missesHostsAfter(namespace, Duration.ofSeconds(12));
        lab.annotateHost(namespace, "host-1", HARDWARE, "memory=8");
        lab.apply(namespace, WholeLab::withoutWorkers);
        await().atMost(WholeLab.SOON)
                .until(() -> lab.admin()
                                        .resources(Agent.class)
                                        .inNamespace(namespace)
                                        .list()
                                        .getItems()
                                        .size()
                                == 3
                        && failures(lab, namespace, "AgentValidationFailed").size() == 1);

        lab.annotateHost(namespace, "host-0", POWER, "off");
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(failures(lab, namespace, "AgentDisconnected"))
                        .contains("Host host-0 no longer responds to assisted-service: check its power and network"));
        lab.annotateHost(namespace, "host-1", HARDWARE, null);
        await().atMost(WholeLab.SOON)
                .until(() -> failures(lab, namespace, "AgentValidationFailed").isEmpty());
        assertThat(failures(lab, namespace, "AgentDisconnected")).anyMatch(failure -> failure.contains("host-0"));
        assertThat(lab.rows(namespace)).noneMatch(row -> row.ready());

        lab.annotateHost(namespace, "host-0", POWER, null);
        lab.awaitReady(namespace);
        assertThat(failures(lab, namespace, "AgentDisconnected")).isEmpty();
    }

    /** Messages of the configs that are not Ready for a reason. */
    private static List<String> failures(WholeLab lab, String namespace, String reason) {
        return lab.admin().resources(OpenshiftAssistedConfig.class).inNamespace(namespace).list().getItems().stream()
                .flatMap(config -> config.getStatus() == null
                        ? Stream.<Condition>empty()
                        : Objects.requireNonNullElse(config.getStatus().conditions(), List.<Condition>of()).stream())
                .filter(condition ->
                        condition.type().equals("Ready") && condition.reason().equals(reason))
                .map(Condition::message)
                .toList();
    }

    private static List<Event> events(WholeLab lab, String namespace, String reason) {
        return lab.admin().events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals(reason))
                .toList();
    }
}
