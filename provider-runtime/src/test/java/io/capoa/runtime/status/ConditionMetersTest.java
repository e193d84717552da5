package io.capoa.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What changes of conditions are counted, and how long a phase took. */
class ConditionMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void begin() {
        Metrics.addRegistry(registry);
    }

    @AfterEach
    void end() {
        Metrics.removeRegistry(registry);
        Metrics.globalRegistry.clear();
    }

    @Test
    void aFailureIsCountedByItsReason_andAPhaseIsMeasuredByTheTimesInTheConditions() {
        List<Condition> waiting = List.of(condition("Installed", "False", "Waiting", "10:00:00"));
        List<Condition> failed = List.of(condition("Installed", "False", "InstallFailed", "10:00:00"));
        List<Condition> done = List.of(condition("Installed", "True", "Installed", "10:30:00"));

        ConditionMeters.record(new ConfigMap(), null, waiting);
        ConditionMeters.record(new ConfigMap(), waiting, waiting);
        ConditionMeters.record(new ConfigMap(), waiting, failed);
        ConditionMeters.record(new ConfigMap(), failed, done);

        assertThat(changes("False", "Waiting")).isEqualTo(1);
        assertThat(changes("False", "InstallFailed")).isEqualTo(1);
        assertThat(changes("True", "Installed")).isEqualTo(1);
        var wait = registry.get("capoa.condition.wait")
                .tags("controller", "configmap", "type", "Installed")
                .timer();
        assertThat(wait.count()).isEqualTo(1);
        assertThat(wait.totalTime(TimeUnit.MINUTES)).isEqualTo(30);
    }

    private double changes(String status, String reason) {
        return registry.get("capoa.condition.changes")
                .tags("controller", "configmap", "type", "Installed", "status", status, "reason", reason)
                .counter()
                .count();
    }

    private static Condition condition(String type, String status, String reason, String time) {
        return new Condition(type, status, reason, "", "2026-01-01T" + time + "Z", null);
    }
}
