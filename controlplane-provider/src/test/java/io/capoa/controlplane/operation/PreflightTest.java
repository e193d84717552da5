package io.capoa.controlplane.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.controlplane.testing.Objects;
import org.junit.jupiter.api.Test;

class PreflightTest {

    @Test
    void whatTheInfrastructureProviderWaitsFor_isOneLine_withoutWhatIsNotYetReported() {
        assertThat(Preflight.infrastructure(machine("""
                        * AssociateBareMetalHost: no available host found
                        * AssociateMetal3MachineMetaData: Condition not yet reported
                        * Metal3DataReady: Condition not yet reported""")))
                .isEqualTo(" (AssociateBareMetalHost: no available host found)");
        assertThat(Preflight.infrastructure(machine("* AssociateMetal3MachineMetaData: Condition not yet reported")))
                .isEmpty();
        assertThat(Preflight.infrastructure(machine("no capacity"))).isEqualTo(" (no capacity)");
        assertThat(Preflight.infrastructure(new Machine())).isEmpty();
    }

    private static Machine machine(String message) {
        return Objects.read(Machine.class, """
                metadata: {name: m}
                status:
                  conditions:
                  - type: InfrastructureReady
                    status: 'False'
                    reason: NotReady
                    message: |-
                %s
                """.formatted(message.indent(6)));
    }
}
