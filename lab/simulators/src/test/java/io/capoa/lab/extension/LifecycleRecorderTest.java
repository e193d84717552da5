package io.capoa.lab.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.api.contract.ExtensionConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The recorder, called with its own ExtensionConfig. */
class LifecycleRecorderTest {

    private final KubernetesClient unused = new KubernetesClientBuilder().build();
    private final LifecycleRecorder recorder = LifecycleRecorder.start();
    private final ExtensionConfig config =
            Serialization.unmarshal(recorder.extensionConfig("one"), ExtensionConfig.class);
    private final HookClient hooks = new HookClient(unused);

    @AfterEach
    void stop() {
        recorder.close();
        unused.close();
    }

    @Test
    void allHooksOfAnUpgrade_areDiscovered() {
        assertThat(config.getMetadata().getName()).isEqualTo("recorder-one");
        assertThat((List<?>) post("discovery", Map.of()).get("handlers")).hasSize(LifecycleRecorder.HOOKS.size());
    }

    @Test
    void aHeldHook_isToBeCalledAgain_andIsRecordedOnceWhenItIsReleased() {
        String path = "beforecontrolplaneupgrade/record-beforecontrolplaneupgrade";
        recorder.hold("BeforeControlPlaneUpgrade");

        assertThat(post(path, Map.of("toKubernetesVersion", "v1.34.5"))).containsEntry("retryAfterSeconds", 1);
        assertThat(recorder.isWaiting("BeforeControlPlaneUpgrade")).isTrue();
        assertThat(recorder.calls()).isEmpty();

        recorder.release("BeforeControlPlaneUpgrade");
        assertThat(post(path, Map.of("toKubernetesVersion", "v1.34.5"))).containsEntry("retryAfterSeconds", 0);
        post(path, Map.of("toKubernetesVersion", "v1.34.5"));
        post("afterclusterupgrade/record-afterclusterupgrade", Map.of("kubernetesVersion", "v1.34.5"));
        assertThat(recorder.calls())
                .extracting(LifecycleRecorder.Call::toString)
                .containsExactly("BeforeControlPlaneUpgrade v1.34.5", "AfterClusterUpgrade v1.34.5");
    }

    @Test
    void anotherHook_isNotFound() {
        assertThatExceptionOfType(HookFailure.class)
                .isThrownBy(() -> post("updatemachine/record-updatemachine", Map.of()))
                .withMessageContaining("404");
    }

    private Map<String, Object> post(String path, Map<String, ?> request) {
        return hooks.post(config, path, Duration.ofSeconds(5), request);
    }
}
