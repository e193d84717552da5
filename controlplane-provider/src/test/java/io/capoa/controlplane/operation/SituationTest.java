package io.capoa.controlplane.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.Cluster;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether the Cluster's topology is about to give the control plane another version. */
class SituationTest {

    private final ControlPlaneIdentity identity = Objects.identity("{}", "", "version: v1.33.6");

    @Test
    void aVersionThatTheControlPlaneHasNotGotYet_isPending() {
        assertThat(pending("v1.34.5", "{}")).as("without a topology of its own").isNull();
        identity.controlPlane().getMetadata().setLabels(Map.of(Labels.TOPOLOGY_OWNED, ""));
        assertThat(pending("v1.34.5", "{}")).isEqualTo("v1.34.5");
        assertThat(pending("v1.33.6", "{}")).isNull();
    }

    @Test
    void aStepOfAnUpgradeOverSeveralVersions_isNot() {
        identity.controlPlane().getMetadata().setLabels(Map.of(Labels.TOPOLOGY_OWNED, ""));
        String step = "{" + Annotations.TOPOLOGY_UPGRADE_STEP + ": %s}";
        assertThat(pending("v1.35.1", step.formatted("v1.33.6"))).isNull();
        assertThat(pending("v1.35.1", step.formatted("v1.34.5"))).isEqualTo("v1.35.1");
    }

    private @Nullable String pending(String topology, String annotations) {
        Cluster cluster = Objects.read(
                Cluster.class,
                "metadata: {name: one, annotations: %s}\nspec: {topology: {version: %s}}"
                        .formatted(annotations, topology));
        ControlPlaneObservation observation =
                ControlPlaneObservations.of(identity, cluster, null, null, List.of(), List.of());
        return Situation.of(observation, false, "", Instant.now()).topologyVersion();
    }
}
