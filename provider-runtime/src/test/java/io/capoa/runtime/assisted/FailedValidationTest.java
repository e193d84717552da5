package io.capoa.runtime.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class FailedValidationTest {

    private final Agent agent = new KubernetesSerialization().unmarshal("""
            status:
              validationsInfo:
                network:
                - {id: ntp-synced, status: failure, message: no NTP}
                - {id: has-ip, status: success, message: fine}
                hardware: none
            """, Agent.class);

    @Test
    void onlyFailures_areRead() {
        assertThat(FailedValidation.of(agent)).containsExactly(new FailedValidation("ntp-synced", "no NTP"));
    }

    @Test
    void pruning_keepsOnlyFailures() {
        FailedValidation.keepOnly(agent);
        assertThat(agent.getAdditionalProperties().toString())
                .contains("ntp-synced", "hardware=none")
                .doesNotContain("has-ip");
        FailedValidation.keepOnly(new Agent());
    }
}
