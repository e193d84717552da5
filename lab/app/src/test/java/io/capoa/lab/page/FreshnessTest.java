package io.capoa.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When the page says that its data are old. */
class FreshnessTest {

    private final Freshness freshness = new Freshness();

    @Test
    void aLeaseThatIsNotRenewed_byTheClockOfThisProcess() {
        Lease lease = lease("a", "2020-01-01T00:00:00.000000Z");
        assertThat(leases(lease, 0)).as("the clock of the manager may be wrong").isEmpty();
        assertThat(leases(lease, 15)).isEmpty();
        assertThat(leases(lease, 16))
                .containsExactly("The control-plane manager (Lease n/09dff44b.cluster.x-k8s.io) has been away for 16 s:"
                        + " what its objects say may be old.");
        assertThat(leases(lease("a", "2020-01-01T00:00:02.000000Z"), 17)).isEmpty();
    }

    @Test
    void aLeaseThatWasGivenUp_atOnce() {
        assertThat(leases(lease("", "2020-01-01T00:00:00.000000Z"), 0))
                .containsExactly("No control-plane manager (Lease n/09dff44b.cluster.x-k8s.io) is running:"
                        + " what its objects say may be old.");
    }

    @Test
    void aFailureOfTheService_thatTheControlPlaneDoesNotHave() {
        assertThat(pair(controlPlane(1, 1, "True"), "error", 0)).isEmpty();
        assertThat(pair(controlPlane(1, 1, "True"), "error", 31))
                .containsExactly("OpenshiftAssistedControlPlane n/c is out of date: for 31 s its status has not had the"
                        + " failure that assisted-service reports. Does the control-plane manager run?");
        assertThat(pair(controlPlane(1, 1, "False"), "error", 32)).isEmpty();
        assertThat(pair(controlPlane(1, 1, "True"), "installing", 99)).isEmpty();
    }

    @Test
    void anOlderSpec_butNotWhileItIsPaused() {
        assertThat(pair(controlPlane(2, 1, "True"), "installing", 0)).isEmpty();
        assertThat(pair(controlPlane(2, 1, "True"), "installing", 31))
                .singleElement()
                .asString()
                .contains("older spec");
        OpenshiftAssistedControlPlane paused = Serialization.unmarshal(
                Serialization.asYaml(controlPlane(2, 1, "True")).replace("InstallSucceeding", "Paused"),
                OpenshiftAssistedControlPlane.class);
        assertThat(pair(paused, "installing", 99)).isEmpty();
    }

    private List<String> leases(Lease lease, long seconds) {
        return freshness.stale(
                Stream.of(lease), Stream.empty(), Duration.ofSeconds(seconds).toNanos());
    }

    private List<String> pair(OpenshiftAssistedControlPlane controlPlane, String state, long seconds) {
        AgentClusterInstall install = Serialization.unmarshal("""
                apiVersion: extensions.hive.openshift.io/v1beta1
                kind: AgentClusterInstall
                metadata: {name: c, namespace: n}
                status: {debugInfo: {state: %s, stateInfo: a host failed}}
                """.formatted(state), AgentClusterInstall.class);
        return freshness.stale(
                Stream.empty(),
                Stream.of(new Freshness.Pair(controlPlane, install)),
                Duration.ofSeconds(seconds).toNanos());
    }

    private static Lease lease(String holder, String renewed) {
        return Serialization.unmarshal("""
                apiVersion: coordination.k8s.io/v1
                kind: Lease
                metadata: {name: 09dff44b.cluster.x-k8s.io, namespace: n}
                spec: {holderIdentity: "%s", leaseDurationSeconds: 15, renewTime: "%s"}
                """.formatted(holder, renewed), Lease.class);
    }

    private static OpenshiftAssistedControlPlane controlPlane(int generation, int observed, String succeeding) {
        return Serialization.unmarshal(
                """
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedControlPlane
                metadata: {name: c, namespace: n, generation: %d}
                spec: {distributionVersion: 4.20.3}
                status:
                  observedGeneration: %d
                  conditions:
                  - {type: InstallSucceeding, status: "%s", reason: r, message: "", lastTransitionTime: "2026-01-01T10:00:00Z"}
                """.formatted(generation, observed, succeeding), OpenshiftAssistedControlPlane.class);
    }
}
