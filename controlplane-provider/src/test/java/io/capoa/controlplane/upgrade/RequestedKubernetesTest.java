package io.capoa.controlplane.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.runtime.status.Blocker;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether spec.version and the release agree; the control plane runs v1.33.5. */
class RequestedKubernetesTest {

    /** The asked release has 1.34.5. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            -       | -       | -                         |
            v1.33.5 | -       | -                         |
            v1.32.9 | -       | -                         |
            1.33.5  | -       | -                         |
            v1.34.5 | -       | -                         |
            1.34.5  | -       | -                         |
            v1.34.2 | -       | UpgradeVersionMismatch    | spec.version is v1.34.2, but release 4.21.1 has Kubernetes v1.34.5: set spec.version to v1.34.5 or remove it
            v1.34.5 | v1.34.5 | -                         |
            v1.34.5+a1 | v1.34.5+a1 | -                   |
            v1.33.5 | v1.34.5 | UpgradeWaitingForVersion  | Cluster API has not raised spec.version from v1.33.5 to v1.34.5, the Kubernetes version of release 4.21.1: condition TopologyReconciled of the Cluster says what it waits for
            v1.33.5 | v1.33.5 | UpgradeVersionMismatch    | spec.topology.version of the Cluster is v1.33.5, but release 4.21.1 has Kubernetes v1.34.5: set spec.topology.version to v1.34.5 or choose the release of v1.33.5
            v1.33.5 | ''      | UpgradeWaitingForVersion  | the Cluster has no spec.topology.version by which Cluster API would raise spec.version from v1.33.5 to v1.34.5, the Kubernetes version of release 4.21.1: if no topology owns the control plane, remove its label topology.cluster.x-k8s.io/owned
            v1.34.2 | v1.34.2 | UpgradeVersionMismatch    | Cluster API asks for Kubernetes v1.34.2 as the next step, but release 4.21.1 has v1.34.5: let the Cluster's variables name the release of v1.34.2
            """)
    void aReleaseMustHaveTheVersionThatIsAskedForBesideIt(
            @Nullable String version, @Nullable String topology, @Nullable String reason, @Nullable String message) {
        Optional<Blocker> obstacle =
                requested(version, topology).blocker("4.21.1", new TargetImage.Resolved("r@sha256:211", "1.34.5"));

        assertThat(obstacle.map(Blocker::reason).orElse(null)).isEqualTo(reason);
        assertThat(obstacle.map(Blocker::message).orElse(null)).isEqualTo(message);
    }

    @Test
    void aRegistryThatDoesNotAnswer_confirmsNothing() {
        RequestedKubernetes raised = requested("v1.34.5", "v1.34.5");

        assertThat(raised.blocker("4.21.1", new TargetImage.Resolving())
                        .orElseThrow()
                        .reason())
                .isEqualTo("UpgradeWaitingForVersion");
        assertThat(raised.blocker(
                        "4.21.1", new TargetImage.Unavailable(new Blocker("ReleaseImageNotFound", "no such image"))))
                .hasValueSatisfying(blocker -> {
                    assertThat(blocker.reason()).isEqualTo("UpgradeImageUnavailable");
                    assertThat(blocker.message())
                            .isEqualTo("release 4.21.1 cannot confirm spec.version v1.34.5: no such image");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            v1.33.5 | -       | false
            v1.32.9 | -       | false
            v1.34.5 | -       | true
            v1.33.6 | -       | true
            v1.33.5 | v1.33.5 | true
            -       | v1.33.5 | false
            """)
    void onlyATopology_andARaisedVersion_needTheRegistry(
            @Nullable String version, @Nullable String topology, boolean needed) {
        assertThat(requested(version, topology).needsConfirmation()).isEqualTo(needed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            v1.33.5    | -          | -
            v1.32.9    | -          | -
            v1.33.5    | v1.33.5    | -
            v1.34.5    | -          | spec.version is v1.34.5, but the nodes of release 4.20.3 run v1.33.5: change spec.distributionVersion too, or remove spec.version
            v1.34.5    | v1.34.5    | spec.version is v1.34.5, but the nodes of release 4.20.3 run v1.33.5: let the Cluster's variables name the release of v1.34.5, or set spec.topology.version to v1.33.5
            v1.33.5+a1 | v1.33.5+a1 | spec.version is v1.33.5+a1, but the nodes of release 4.20.3 run v1.33.5: let the Cluster's variables name the release of v1.33.5+a1, or set spec.topology.version to v1.33.5
            """)
    void aVersionThatNoNodeRuns_isReportedAtRest(
            @Nullable String version, @Nullable String topology, @Nullable String message) {
        assertThat(requested(version, topology)
                        .atRest("4.20.3")
                        .map(Blocker::message)
                        .orElse(null))
                .isEqualTo(message);
    }

    @Test
    void nodesOnTheirWay_areNotCompared() {
        assertThat(new RequestedKubernetes("v1.34.5", "v1.34.5", Set.of("v1.33.5", "v1.34.5")).atRest("4.21.1"))
                .isEmpty();
    }

    private static RequestedKubernetes requested(@Nullable String version, @Nullable String topology) {
        return new RequestedKubernetes(version, topology, Set.of("v1.33.5"));
    }
}
