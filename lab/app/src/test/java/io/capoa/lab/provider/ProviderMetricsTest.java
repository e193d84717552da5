package io.capoa.lab.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.report.ReconcileTriggers;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProviderMetricsTest {

    @Test
    void figures_areThoseOfAllControllersAndKinds() {
        ProviderMetrics metrics = ProviderMetrics.on("""
                # HELP controller_runtime_reconcile_total
                # TYPE controller_runtime_reconcile_total counter
                controller_runtime_reconcile_total{controller="a",result="success"} 12.0
                controller_runtime_reconcile_total{controller="b",result="error"} 1.5E2
                controller_runtime_reconcile_errors_total{controller="a"} 7.0
                capoa_rest_client_received_bytes_total{resource="agents",verb="list"} 1000.0
                capoa_rest_client_received_bytes_total{resource="agents",verb="watch"} 24.0
                capoa_reconcile_triggers_total{controller="a",source="Agent",wrote="false"} 12.0
                capoa_reconcile_triggers_total{controller="b",source="Agent",wrote="false"} 5.0
                capoa_reconcile_triggers_total{controller="a",source="Agent",wrote="true"} 3.0
                capoa_reconcile_triggers_total{controller="b",source="timer",wrote="true"} 1.0
                """);

        assertThat(metrics)
                .isEqualTo(new ProviderMetrics(
                        162,
                        1024,
                        new ReconcileTriggers(
                                new TreeMap<>(Map.of("Agent", 3L, "timer", 1L)), new TreeMap<>(Map.of("Agent", 17L)))));
    }
}
