package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A slow download delays only its own Machine. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class SlowServerTest {

    private static final int MACHINES = 50;
    private static final Duration SLOW = Duration.ofSeconds(2);

    @Test
    void ofFiftyMachines_theOneWithASlowServerWaits_theOthersDoNot(ConfigScene scene) {
        scene.ready();
        IntStream.range(0, MACHINES).parallel().forEach(n -> scene.machine("m" + n, "{}"));
        try (IgnitionServer slow = new IgnitionServer()) {
            slow.hold("/m0");
            scene.awaitInfraEnv("m0");
            scene.publishBootMedia("m0", slow);
            ConfigScene.soon("the slow download to begin")
                    .until(() -> !slow.requests().isEmpty());
            Instant begun = Instant.now();

            IntStream.range(1, MACHINES).parallel().forEach(n -> scene.withData("m" + n));

            // All others are done while the slow server has not responded.
            assertThat(scene.secret("m0-config")).isNull();
            ConfigScene.soon("two seconds to pass")
                    .until(() -> Duration.between(begun, Instant.now()).compareTo(SLOW) >= 0);
            slow.release("/m0");
            scene.awaitCondition("m0", "DataSecretAvailable", "True/DataSecretAvailable");
        }
    }
}
