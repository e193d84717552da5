package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Our providers adopt a management cluster with objects of the Go provider. */
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class TakeoverTest {

    @Test
    void noMachineIsNew_noSecretIsRewritten_andTheClusterIsReady(WholeLab lab) {
        String namespace = lab.namespace(7);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        lab.stopProviders();
        webhooks(lab, "Ignore");
        Map<String, String> machines;
        Map<String, Map<String, String>> secrets;
        try {
            GoShape.give(lab.admin(), namespace);
            machines = machines(lab, namespace);
            secrets = secrets(lab, namespace);
        } finally {
            webhooks(lab, "Fail");
            lab.startProviders();
        }

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
                .untilAsserted(() -> assertThat(machines(lab, namespace)).isEqualTo(machines));
        assertThat(secrets(lab, namespace)).isEqualTo(secrets);
        assertThat(lab.controlPlane(namespace).getStatus().replicas()).isEqualTo(3);
    }

    private static Map<String, String> machines(WholeLab lab, String namespace) {
        return lab.machines(namespace).stream()
                .collect(Collectors.toMap(
                        machine -> machine.getMetadata().getName(),
                        machine -> machine.getMetadata().getUid()));
    }

    private static Map<String, Map<String, String>> secrets(WholeLab lab, String namespace) {
        Function<Secret, String> name = secret -> secret.getMetadata().getName();
        return new TreeMap<>(lab.admin().secrets().inNamespace(namespace).list().getItems().stream()
                .collect(Collectors.toMap(name, Secret::getData)));
    }

    /** No webhook responds while the providers are stopped. */
    private static void webhooks(WholeLab lab, String failurePolicy) {
        for (String part : List.of("bootstrap", "controlplane")) {
            var unused = lab.admin()
                    .admissionRegistration()
                    .v1()
                    .validatingWebhookConfigurations()
                    .withName("capoa-" + part + "-validating-webhook-configuration")
                    .edit(configuration -> {
                        configuration.getWebhooks().forEach(webhook -> webhook.setFailurePolicy(failurePolicy));
                        return configuration;
                    });
        }
    }
}
