package io.capoa.lab.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The live view and the page say in words how far an installation is, and a percentage only while it runs. */
class ClustersTest {

    @ParameterizedTest
    @CsvSource({
        "insufficient, 0, not ready to install, -1",
        "pending-for-input, 0, waiting for settings, -1",
        "ready, 0, ready to install, -1",
        "installing, 34, installing, 34",
        "adding-hosts, 100, installed, -1",
        "error, 40, failed, 40"
    })
    void ofACluster(String state, int percent, String words, int shown) {
        Optional<AgentClusterInstall> install = Optional.of(new AgentClusterInstall())
                .map(made -> {
                    made.setAdditionalProperty(
                            "status",
                            Map.of(
                                    "debugInfo",
                                    Map.of("state", state),
                                    "progress",
                                    Map.of("totalPercentage", percent)));
                    return made;
                });

        Cluster cluster = new Cluster();
        cluster.setMetadata(new ObjectMeta());

        assertThat(Clusters.state(cluster, install)).isEqualTo(words);
        assertThat(Clusters.percent(install)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"insufficient, , not ready to install", "known, , ready to install", "installing, Rebooting, Rebooting"
    })
    void ofAHost(String state, @Nullable String stage, String words) {
        Agent agent = new Agent();
        agent.setAdditionalProperty(
                "status",
                Map.of(
                        "debugInfo",
                        Map.of("state", state),
                        "progress",
                        stage == null ? Map.of() : Map.of("currentStage", stage)));

        assertThat(Clusters.step(new Machine(), Optional.of(agent))).isEqualTo(words);
    }
}
