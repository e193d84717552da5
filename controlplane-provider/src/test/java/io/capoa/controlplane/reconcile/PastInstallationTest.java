package io.capoa.controlplane.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.testing.Objects;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** After a restore without status, a kubeconfig shows that the cluster is installed. */
class PastInstallationTest {

    private static final ControlPlaneIdentity RESTORED = Objects.identity();
    private static final Secret KUBECONFIG = KubeconfigSecret.desired(RESTORED, "a3ViZQ==", null);
    private static final Machine WITH_ID = machine("a", "spec: {providerID: 'metal3://a'}");
    private static final Machine WITHOUT_ID = machine("b", "spec: {}");

    @Test
    void withAKubeconfig_itIsInstalled_evenIfAMachineHasNoProviderId() {
        assertThat(seen(KUBECONFIG, WITH_ID).installed()).isTrue();
        assertThat(seen(KUBECONFIG, WITH_ID, WITHOUT_ID).installed()).isTrue();
        assertThat(seen(KUBECONFIG, WITHOUT_ID).installed()).isTrue();
        assertThat(seen(null, WITH_ID).installed()).isFalse();
    }

    @Test
    void aKubeconfigWithoutMachines_blocksTheInstallation() {
        assertThat(seen(KUBECONFIG).installed()).isFalse();
        assertThat(Prerequisites.of(seen(KUBECONFIG)))
                .isInstanceOfSatisfying(
                        Prerequisites.Unmet.class,
                        wait -> assertThat(wait.blocker().message())
                                .contains("Secret one-kubeconfig", "restore", "delete"));
        assertThat(Prerequisites.of(seen(null))).isInstanceOf(Prerequisites.Clear.class);
    }

    private static Machine machine(String name, String spec) {
        return Objects.read(Machine.class, "metadata: {name: %s}\n%s".formatted(name, spec));
    }

    private static ControlPlaneObservation seen(@Nullable Secret kubeconfig, Machine... machines) {
        Cluster cluster = Objects.read(Cluster.class, """
                metadata: {name: one}
                spec: {controlPlaneEndpoint: {host: api.example, port: 6443}}
                status: {initialization: {infrastructureProvisioned: true}}
                """);
        return ControlPlaneObservations.of(RESTORED, cluster, null, kubeconfig, List.of(machines), List.of());
    }
}
