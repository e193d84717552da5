package io.capoa.controlplane.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.LocalReference;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.controlplane.testing.Objects;
import org.junit.jupiter.api.Test;

/** Mirror registries of control plane hosts during discovery. */
class DiscoveryMirrorsTest {

    @Test
    void hosts_useTheMirrorsOfTheCluster() {
        OpenshiftAssistedConfig config =
                BootstrapConfig.desired(Objects.identity("{}", "imageRegistryRef: {name: mirrors}"), "cp-x", false);
        assertThat(config.getSpec().mirrorRegistryRef()).isEqualTo(new LocalReference("mirrors"));
        assertThat(BootstrapConfig.desired(Objects.identity(), "cp-x", false)
                        .getSpec()
                        .mirrorRegistryRef())
                .isNull();
    }

    @Test
    void hostMirrors_takePrecedence_andNothingElseChanges() {
        var spec = Objects.read(OpenshiftAssistedConfig.class, """
                        metadata: {name: c}
                        spec: {sshAuthorizedKey: key, mirrorRegistryRef: {name: own}}
                        """).getSpec();
        assertThat(DiscoveryMirrors.in(spec, "mirrors")).isEqualTo(spec);

        var without = Objects.read(OpenshiftAssistedConfig.class, """
                        metadata: {name: c}
                        spec: {sshAuthorizedKey: key, kernelArguments: [{operation: append, value: a}]}
                        """).getSpec();
        assertThat(DiscoveryMirrors.in(without, "mirrors"))
                .usingRecursiveComparison()
                .ignoringFields("mirrorRegistryRef")
                .isEqualTo(without);
    }
}
