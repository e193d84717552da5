package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conditions are counted from the caches, again for each page. */
class ConditionGaugesTest {

    private final ProcessMeters meters = new ProcessMeters();

    @Test
    void objectsAreCountedByTheirConditions_asTheyAreNow() {
        OpenshiftAssistedConfig first = new OpenshiftAssistedConfig();
        OpenshiftAssistedConfig second = new OpenshiftAssistedConfig();
        OpenshiftAssistedConfig fresh = new OpenshiftAssistedConfig();
        first.setStatus(status("False", "WaitingForAgent"));
        second.setStatus(status("False", "WaitingForAgent"));
        meters.conditions().add("hosts", () -> List.of(first, second, fresh).stream());
        meters.conditions().add("others", () -> List.of(new ConfigMap()).stream());

        assertThat(conditions())
                .containsExactly(
                        "capoa_conditions{controller=\"hosts\",reason=\"WaitingForAgent\",status=\"False\",type=\"Installed\"} 2.0");

        first.setStatus(status("True", "Installed"));
        second.setStatus(status("False", "InstallationFailed"));

        assertThat(conditions())
                .as("a state that no object has is gone")
                .containsExactlyInAnyOrder(
                        "capoa_conditions{controller=\"hosts\",reason=\"Installed\",status=\"True\",type=\"Installed\"} 1.0",
                        "capoa_conditions{controller=\"hosts\",reason=\"InstallationFailed\",status=\"False\",type=\"Installed\"} 1.0");
    }

    private static OpenshiftAssistedConfigStatus status(String status, String reason) {
        return new OpenshiftAssistedConfigStatus(
                null, null, 1L, List.of(new Condition("Installed", status, reason, "", "2026-01-01T00:00:00Z", 1L)));
    }

    private List<String> conditions() {
        return meters.page()
                .body()
                .lines()
                .filter(line -> line.startsWith("capoa_conditions{"))
                .toList();
    }
}
