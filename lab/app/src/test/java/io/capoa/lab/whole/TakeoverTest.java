package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Our providers adopt a management cluster with objects of the Go provider. */
@Tag("full")
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class TakeoverTest {

    @Test
    void noMachineIsNew_noSecretIsRewritten_andTheClusterIsReady(WholeLab lab) {
        String namespace = lab.namespace(7);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        Map<String, String> machines = new TreeMap<>();
        Map<String, Map<String, String>> secrets = new TreeMap<>();
        Takeover.run(lab, () -> {
            GoShape.give(lab.admin(), namespace);
            machines.putAll(Takeover.machines(lab, namespace));
            secrets.putAll(Takeover.secrets(lab, namespace));
        });

        await().atMost(WholeLab.SOON).untilAsserted(() -> {
            assertThat(lab.condition(namespace, "MachinesReady").map(Condition::status))
                    .as(() -> String.valueOf(lab.controlPlane(namespace).getStatus()))
                    .contains(Condition.TRUE);
            assertThat(lab.condition(namespace, "Available").map(Condition::status))
                    .contains(Condition.TRUE);
        });
        lab.awaitReady(namespace);
        await().during(Duration.ofSeconds(3))
                .atMost(WholeLab.SOON)
                .untilAsserted(
                        () -> assertThat(Takeover.machines(lab, namespace)).isEqualTo(machines));
        assertThat(Takeover.secrets(lab, namespace)).isEqualTo(secrets);
        assertThat(lab.controlPlane(namespace).getStatus().replicas()).isEqualTo(3);
    }
}
