package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Machine;
import io.capoa.runtime.logging.TestLoggers;
import io.capoa.runtime.watch.CachePruning;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Compares {@link ObjectReading} with fabric8's own deserialization on generated watch events. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class ObjectReadingFuzzTest {

    private static final int EVENTS = 100_000;
    private static final String MANAGER = "ours";

    private final KubernetesSerialization fabric8 = new KubernetesSerialization();
    private final ObjectReading reading = new ObjectReading(MANAGER);

    @Test
    void everyEvent_isReadAsFabric8ReadsIt_butForForeignManagedFields() {
        // Else every custom resource logs two lines.
        TestLoggers.of(CustomResource.class.getName()).setLevel(Level.INFO);
        for (KubernetesSerialization each : List.of(fabric8, reading)) {
            each.registerKubernetesResource(Agent.class);
            each.registerKubernetesResource(Machine.class);
            each.registerKubernetesResource(Secret.class);
            each.registerKubernetesResource(ConfigMap.class);
            each.registerKubernetesResource(OpenshiftAssistedConfig.class);
        }
        LongStream.range(0, EVENTS).parallel().forEach(seed -> compare(seed, new GeneratedEvent(seed).json()));
    }

    private void compare(long seed, String text) {
        Result expected = read(fabric8, text);
        Result actual = read(reading, text);
        prune(expected);
        prune(actual); // An event of unusual form is left to fabric8, with all its managed fields.
        if (!equal(expected, actual)) {
            assertThat(fabric8.asJson(actual.event))
                    .as("seed %d: %s; fabric8: %s, ours: %s", seed, text, expected.failure, actual.failure)
                    .isEqualTo(fabric8.asJson(expected.event));
        }
    }

    private static void prune(Result result) {
        if (result.event != null
                && result.event.getObject() instanceof HasMetadata object
                && object.getMetadata() != null
                && object.getMetadata().getManagedFields() != null) {
            object.getMetadata()
                    .setManagedFields(object.getMetadata().getManagedFields().stream()
                            .filter(entry -> CachePruning.listsApplied(entry, MANAGER))
                            .toList());
        }
    }

    private record Result(
            @Nullable WatchEvent event, @Nullable String failure) {}

    private static Result read(KubernetesSerialization serialization, String text) {
        try {
            return new Result(serialization.unmarshal(text, WatchEvent.class), null);
        } catch (RuntimeException refused) {
            return new Result(null, refused.getClass().getSimpleName());
        }
    }

    private boolean equal(Result expected, Result actual) {
        if (expected.event == null || actual.event == null) {
            return expected.event == null && actual.event == null;
        }
        Object object = expected.event.getObject();
        Object other = actual.event.getObject();
        return Objects.equals(expected.event.getType(), actual.event.getType())
                && (object == null || other == null
                        ? object == other
                        : object.getClass() == other.getClass()
                                && (object.equals(other)
                                        || fabric8.asJson(object).equals(fabric8.asJson(other))));
    }
}
