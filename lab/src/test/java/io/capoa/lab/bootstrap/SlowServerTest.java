package io.capoa.lab.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.AuditEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A download that takes its time holds up the Machine that it is for, and no other. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class SlowServerTest {

    private static final int MACHINES = 50;
    private static final Duration SLOW = Duration.ofSeconds(2);

    @Test
    void ofFiftyMachines_theOneWithASlowServerWaits_theOthersDoNot(Scene scene) {
        scene.ready();
        IntStream.range(0, MACHINES).forEach(n -> scene.machine("m" + n, "{}"));
        IntStream.range(0, MACHINES).forEach(n -> scene.awaitInfraEnv("m" + n));
        try (IgnitionServer slow = new IgnitionServer()) {
            slow.delay("/m0", SLOW);
            scene.publishBootMedia("m0", slow);
            Scene.soon("the slow download to begin")
                    .until(() -> slow.requests().iterator().hasNext());
            IntStream.range(1, MACHINES).forEach(n -> scene.publishBootMedia("m" + n));

            IntStream.range(0, MACHINES)
                    .forEach(n -> scene.awaitCondition("m" + n, "DataSecretAvailable", "True/DataSecretAvailable"));
        }

        Map<String, Instant> stored = scene.writes("secrets", "").stream()
                .filter(write -> write.name().endsWith("-config"))
                .collect(Collectors.toMap(AuditEntry::name, AuditEntry::time));
        assertThat(stored).hasSize(MACHINES);
        for (int n = 1; n < MACHINES; n++) {
            Duration latency = Duration.between(scene.published("m" + n), stored.get("m" + n + "-config"));
            assertThat(latency).as("m" + n).isLessThan(SLOW);
        }
        assertThat(Duration.between(scene.published("m0"), stored.get("m0-config")))
                .isGreaterThanOrEqualTo(SLOW);
    }
}
