package io.capoa.controlplane.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The steps of an upgrade over several minor versions. */
class UpgradePlanTest {

    private final Hooks hooks = new Hooks();

    private JsonNode plan(String from, String workers, String to) {
        return plan("{}", from, workers, to);
    }

    private JsonNode plan(String cluster, String from, String workers, String to) {
        String fields = """
                "cluster":%s,"fromControlPlaneKubernetesVersion":"%s","fromWorkersKubernetesVersion":"%s",
                "toKubernetesVersion":"%s\"""".formatted(cluster, from, workers, to);
        return hooks.call(Hook.GENERATE_UPGRADE_PLAN, Hooks.request(Hook.GENERATE_UPGRADE_PLAN, fields));
    }

    private static String steps(JsonNode response, String field) {
        return String.join(
                " ",
                StreamSupport.stream(response.path(field).spliterator(), false)
                        .map(step -> step.path("version").asText())
                        .toList());
    }

    @Test
    void noMinorVersionIsSkipped_andWorkersFollowEachStep() {
        JsonNode plan = plan("v1.31.6", "v1.31.6", "v1.34.2");
        assertThat(plan.path("status").asText()).isEqualTo("Success");
        assertThat(steps(plan, "controlPlaneUpgrades")).isEqualTo("v1.32.0 v1.33.0 v1.34.2");
        assertThat(steps(plan, "workersUpgrades")).isEqualTo("v1.32.0 v1.33.0 v1.34.2");
    }

    @Test
    void aListedRelease_isTheStepOfItsMinorVersion() {
        String cluster = """
                {"spec":{"topology":{"variables":[
                  {"name":"baseDomain","value":"lab.example"},
                  {"name":"releases","value":[
                    {"kubernetesVersion":"v1.32.4","version":"4.19.7"},
                    {"kubernetesVersion":"v1.32.9","version":"4.19.11"},
                    {"kubernetesVersion":"v1.34.2","version":"4.21.0"}]}]}}}""";

        assertThat(steps(plan(cluster, "v1.31.6", "v1.31.6", "v1.34.2"), "controlPlaneUpgrades"))
                .isEqualTo("v1.32.9 v1.33.0 v1.34.2");
        assertThat(plan(cluster.replace("v1.32.4", "1.32"), "v1.31.6", "", "v1.34.2")
                        .path("message")
                        .asText())
                .contains("variable releases", "1.32, which is not a Kubernetes version");
    }

    @Test
    void workersThatLagBehind_followToTheControlPlaneFirst() {
        JsonNode plan = plan("v1.33.5", "v1.31.6", "v1.34.2");
        assertThat(steps(plan, "controlPlaneUpgrades")).isEqualTo("v1.34.2");
        assertThat(steps(plan, "workersUpgrades")).isEqualTo("v1.33.5 v1.34.2");
    }

    @Test
    void aClusterWithoutWorkers_hasNoStepsForThem() {
        JsonNode plan = plan("v1.33.5", "", "v1.34.2");
        assertThat(steps(plan, "controlPlaneUpgrades")).isEqualTo("v1.34.2");
        assertThat(plan.path("workersUpgrades").isArray()).isTrue();
        assertThat(plan.path("workersUpgrades").isEmpty()).isTrue();
    }

    @Test
    void aPatch_isOneStep_andNoChangeIsNone() {
        assertThat(steps(plan("v1.34.1", "", "v1.34.2"), "controlPlaneUpgrades"))
                .isEqualTo("v1.34.2");
        assertThat(steps(plan("v1.34.2", "v1.34.1", "v1.34.2"), "controlPlaneUpgrades"))
                .isEmpty();
        assertThat(steps(plan("v1.34.2", "v1.34.1", "v1.34.2"), "workersUpgrades"))
                .isEqualTo("v1.34.2");
    }

    @Test
    void noWayBack_andNoEndlessPlan() {
        assertThat(plan("v1.34.2", "", "v1.33.5").path("message").asText()).contains("toKubernetesVersion v1.33.5");
        assertThat(plan("v1.3.0", "", "v1.9999.0").path("status").asText()).isEqualTo("Failure");
        assertThat(plan("v1.34.2", "", "latest").path("message").asText())
                .contains("toKubernetesVersion is latest, which is not a Kubernetes version");
    }
}
