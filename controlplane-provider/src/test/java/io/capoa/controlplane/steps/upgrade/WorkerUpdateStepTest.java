package io.capoa.controlplane.steps.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.ExtensionConfig;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.upgrade.WorkerUpdates.Extension;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which ExtensionConfigs update the Machines of a namespace in place. */
class WorkerUpdateStepTest {

    private static final String HANDLER = "handlers: [{name: h, requestHook: {apiVersion: v1, hook: %s}}]";
    private static final String UPDATES = HANDLER.formatted("CanUpdateMachineSet");

    @Test
    void itIsReady_onceItsHandlerIsKnown() {
        assertThat(extension(config("", UPDATES))).isEqualTo(Extension.READY);
        assertThat(extension(config("", ""))).isEqualTo(Extension.NOT_DISCOVERED);
        assertThat(extension()).isEqualTo(Extension.ABSENT);
        assertThat(extension(config(
                        "",
                        "conditions: [{type: Discovered, status: 'True'}], "
                                + HANDLER.formatted("BeforeClusterUpgrade"))))
                .as("an extension for other hooks")
                .isEqualTo(Extension.ABSENT);
    }

    @Test
    void oneForOtherNamespaces_doesNotCount() {
        String name = "{key: kubernetes.io/metadata.name, operator: %s, values: [%s]}";
        assertThat(extension(config("matchLabels: {kubernetes.io/metadata.name: other}", UPDATES)))
                .isEqualTo(Extension.ABSENT);
        assertThat(extension(config("matchLabels: {kubernetes.io/metadata.name: here}", UPDATES)))
                .isEqualTo(Extension.READY);
        assertThat(extension(config("matchExpressions: [" + name.formatted("In", "other") + "]", UPDATES)))
                .isEqualTo(Extension.ABSENT);
        assertThat(extension(config("matchExpressions: [" + name.formatted("NotIn", "other") + "]", UPDATES)))
                .isEqualTo(Extension.READY);
        assertThat(extension(config("matchLabels: {team: a}", UPDATES))).isEqualTo(Extension.READY);
    }

    private static Extension extension(ExtensionConfig... configs) {
        return WorkerUpdateStep.extension(List.of(configs), "here");
    }

    private static ExtensionConfig config(String selector, String status) {
        return Objects.read(
                ExtensionConfig.class,
                "metadata: {name: e}\nspec: {namespaceSelector: {%s}}\nstatus: {%s}".formatted(selector, status));
    }
}
