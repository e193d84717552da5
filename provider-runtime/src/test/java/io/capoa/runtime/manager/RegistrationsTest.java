package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.runtime.health.ReadinessProbe;
import io.capoa.runtime.options.ManagerOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.Controller;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import org.junit.jupiter.api.Test;

/** The configuration that all reconcilers share; no API server is asked. */
class RegistrationsTest {

    @ControllerConfiguration(name = "config-maps")
    private static final class Idle implements Reconciler<ConfigMap> {

        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap resource, Context<ConfigMap> context) {
            return UpdateControl.noUpdate();
        }
    }

    /** JOSDK's timer would keep a task of every reconcile for the sync period. */
    @Test
    void theSyncPeriod_isNoTimerOfEachObject() {
        try (var client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:9")
                        .build())
                .build()) {
            Operator operator = new Operator(configuration ->
                    configuration.withKubernetesClient(client).checkingCRDAndValidateLocalModel(false));
            new Registrations(
                            new ManagerDescription("test", "test", "test"),
                            new ManagerOptions(),
                            operator,
                            new SimpleMeterRegistry(),
                            new ReadinessProbe(),
                            new Closers(),
                            new HashMap<>(),
                            () -> true)
                    .register(new Idle());

            RegisteredController<?> controller =
                    operator.getRegisteredControllers().iterator().next();
            assertThat(controller.getConfiguration().maxReconciliationInterval())
                    .isEmpty();
            assertThat(controller.getConfiguration().getRateLimiter())
                    .as("events in quick succession")
                    .isInstanceOfSatisfying(LinearRateLimiter.class, limiter -> {
                        assertThat(limiter.getRefreshPeriod()).hasMillis(100);
                        assertThat(limiter.getLimitForPeriod()).isEqualTo(2);
                    });
            assertThat(((Controller<?>) controller).getEventSourceManager().allEventSources())
                    .extracting(source -> source.name())
                    .contains("resync");
            assertThat(((Controller<?>) controller).getEventSourceManager().allEventSources())
                    .as("the bounded names by which reconciles are counted")
                    .extracting(source -> ReconcileTriggers.label(source))
                    .containsExactlyInAnyOrder("ConfigMap", ReconcileTriggers.TIMER, "resync");
        }
    }
}
