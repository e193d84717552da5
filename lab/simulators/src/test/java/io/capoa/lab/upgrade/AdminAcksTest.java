package io.capoa.lab.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdminAcksTest {

    private static final String GATE = "ack-4.20-kube-1.34-api-removals-in-4.21";
    private static final Map<String, String> GATES = Map.of(GATE, "Kubernetes 1.34 removes APIs.");

    @Test
    void aGateOfTheRunningMinor_blocks_untilItIsTrueInTheAcks() {
        assertThat(blocker(GATES, Map.of(), "4.20.3"))
                .contains(Condition.no("Upgradeable", "AdminAckRequired", "Kubernetes 1.34 removes APIs."));
        assertThat(blocker(GATES, Map.of(GATE, "True"), "4.20.3")).isPresent();
        assertThat(blocker(GATES, Map.of(GATE, "true"), "4.20.3")).isEmpty();
        assertThat(blocker(GATES, Map.of(), "4.19.3")).isEmpty();
    }

    @Test
    void gatesThatCannotBeRead_block() {
        assertThat(blocker(Map.of("ack-now", "a"), Map.of(), "4.20.3")
                        .orElseThrow()
                        .reason())
                .isEqualTo("AdminAckConfigMapGateNameError");
        assertThat(blocker(Map.of(GATE, ""), Map.of(), "4.20.3").orElseThrow().reason())
                .isEqualTo("AdminAckConfigMapGateValueError");
        assertThat(AdminAcks.blocker(Optional.empty(), Optional.of(Map.of()), "4.20.3")
                        .orElseThrow()
                        .reason())
                .isEqualTo("UnableToAccessAdminGatesConfigMap");
        assertThat(AdminAcks.blocker(Optional.of(Map.of()), Optional.empty(), "4.20.3")
                        .orElseThrow()
                        .reason())
                .isEqualTo("UnableToAccessAdminAcksConfigMap");
    }

    private static Optional<Condition> blocker(Map<String, String> gates, Map<String, String> acks, String running) {
        return AdminAcks.blocker(Optional.of(gates), Optional.of(acks), running);
    }
}
