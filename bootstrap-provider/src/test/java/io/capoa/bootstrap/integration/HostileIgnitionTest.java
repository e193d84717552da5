package io.capoa.bootstrap.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.hostile.Bombs;
import io.capoa.lab.hostile.HostileServer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Malicious ignition servers against a manager with its shipped limits: it survives, each config's condition reports
 * its server's violation, and other Machines get their bootstrap data.
 */
@Tag("full")
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(BootstrapProcess.FIRST_LANE)
class HostileIgnitionTest {

    private static final String FILTER = "hostile";

    @Test
    void theManagerSurvives_reportsWhatEachServerDoes_andServesTheOthers(TestCluster cluster) {
        Map<String, String> said = new LinkedHashMap<>();
        try (ConfigScene scene = new ConfigScene(cluster, FILTER);
                HostileServer server = new HostileServer(null);
                BootstrapProcess provider =
                        BootstrapProcess.start(cluster, "--namespace=" + scene.namespace, "--watch-filter=" + FILTER)) {
            scene.ready();
            byte[] packed = Bombs.gzip("{\"ignition\":\"".getBytes(UTF_8), new byte[] {'x'}, 900);
            hostile(
                    server,
                    said,
                    "gzip",
                    HostileServer.body(packed, "Content-Encoding: gzip"),
                    "it compresses its answer");
            hostile(server, said, "endless", HostileServer.endless(), "its answer is larger than 1 MiB");
            hostile(server, said, "line", HostileServer.endlessLine(), "it sends a line without an end");
            hostile(server, said, "redirects", HostileServer.redirects(), "it redirects more than 5 times");
            hostile(server, said, "trickle", HostileServer.trickle(), "not to the end within 30 s");
            String many = "{\"ignition\":{\"version\":\"3.1.0\"},\"x\":[" + "{},".repeat(300_000) + "{}]}";
            hostile(server, said, "tree", HostileServer.body(many.getBytes(UTF_8)), "it has too many values");
            said.keySet().forEach(machine -> {
                scene.machine(machine, "{}").awaitInfraEnv(machine);
                Map<String, Object> media =
                        Map.of("bootArtifacts", Map.of("discoveryIgnitionURL", server.url() + "/" + machine));
                scene.status(InfraEnv.class, machine, media);
            });
            scene.machine("honest", "{}").withData("honest");

            said.forEach((machine, message) -> ConfigScene.soon("a condition of " + machine)
                    .untilAsserted(() -> assertThat(scene.message(machine, "DataSecretAvailable"))
                            .contains(message)));
            scene.machine("late", "{}").withData("late");
            assertThat(provider.figures().peakMemoryMiB())
                    .as("of the same process")
                    .isPositive();
        }
    }

    private static void hostile(
            HostileServer server,
            Map<String, String> said,
            String machine,
            HostileServer.Answer answer,
            String message) {
        server.on("/" + machine, answer);
        said.put(machine, message);
    }
}
