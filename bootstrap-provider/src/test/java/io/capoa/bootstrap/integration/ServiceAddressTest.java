package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** assisted-service publishes an unreachable URL, and is accessed at an in-cluster one. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(BootstrapProcess.FIRST_LANE)
class ServiceAddressTest {

    private static final String PATH =
            "/api/assisted-install/v2/infra-envs/b8f0/downloads/files?api_key=KEY&file_name=discovery.ign";

    @Test
    void theIgnitionComesFromTheConfiguredAddress_withPathAndTokenOfThePublishedOne(TestCluster cluster) {
        try (ConfigScene scene = new ConfigScene(cluster, "service-address");
                BootstrapProcess provider = BootstrapProcess.start(
                        cluster,
                        Map.of("ASSISTED_SERVICE_BASE_URL", scene.server.url()),
                        "--namespace=" + scene.namespace,
                        "--watch-filter=" + scene.watchFilter())) {
            scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
            scene.status(
                    InfraEnv.class,
                    "m1",
                    Map.of("bootArtifacts", Map.of("discoveryIgnitionURL", "https://assisted.invalid:8443" + PATH)));

            scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");

            assertThat(scene.server.requests()).containsExactly(PATH);
            assertThat(provider.figures().cpuSeconds()).isPositive();
        }
    }
}
