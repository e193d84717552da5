package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.capoa.runtime.logging.TestLoggers;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.monitoring.Metrics.ControllerExecution;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The series of a controller, as dashboards for controller-runtime look for them. */
class ControllerMetricsTest {

    private static final Map<String, Object> METADATA = Map.of(Constants.CONTROLLER_NAME, "sample");

    private final ProcessMeters meters = new ProcessMeters();
    private final ControllerMetrics metrics = new ControllerMetrics(meters.registry(), 50, meters.conditions());

    @Test
    void reconcilesAndTheirQueue_haveTheNamesOfControllerRuntime_andNothingIsWarnedOf() throws Exception {
        Logger micrometer = TestLoggers.of("io.micrometer");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        micrometer.addAppender(log);
        try {
            metrics.reconciliationSubmitted(object("a"), null, METADATA);
            metrics.reconciliationSubmitted(object("b"), null, METADATA);
            metrics.reconciliationSubmitted(object("b"), retry(), METADATA);
            metrics.reconciliationStarted(object("a"), METADATA);
            String during = metrics.timeControllerExecution(
                    execution(() -> meters.page().body()));
            assertThatThrownBy(() -> metrics.timeControllerExecution(execution(() -> {
                        throw new IllegalStateException("a bug");
                    })))
                    .isExactlyInstanceOf(IllegalStateException.class);

            assertThat(during)
                    .contains("controller_runtime_active_workers{controller=\"sample\"} 1")
                    .contains("workqueue_depth{name=\"sample\"} 1");
            assertThat(meters.page().body())
                    .contains("controller_runtime_reconcile_total{controller=\"sample\",result=\"success\"} 1")
                    .contains("controller_runtime_reconcile_total{controller=\"sample\",result=\"error\"} 1")
                    .contains("controller_runtime_reconcile_errors_total{controller=\"sample\"} 1")
                    .contains("controller_runtime_reconcile_time_seconds_count{controller=\"sample\"} 2")
                    .contains("controller_runtime_reconcile_time_seconds_bucket{controller=\"sample\",le=\"60.0\"} 2")
                    .contains("controller_runtime_active_workers{controller=\"sample\"} 0")
                    .contains("controller_runtime_max_concurrent_reconciles{controller=\"sample\"} 50")
                    .contains("workqueue_adds_total{name=\"sample\"} 3")
                    .contains("workqueue_retries_total{name=\"sample\"} 1")
                    .contains("workqueue_queue_duration_seconds_count{name=\"sample\"} 1");
            assertThat(log.list).extracting(ILoggingEvent::getLevel).doesNotContain(Level.WARN);
        } finally {
            micrometer.detachAppender(log);
        }
    }

    @Test
    void anObjectThatIsGone_waitsNoLonger() {
        metrics.reconciliationSubmitted(object("a"), null, METADATA);
        metrics.cleanupDone(new ResourceID("a", "ns"), METADATA);

        assertThat(meters.page().body()).contains("workqueue_depth{name=\"sample\"} 0");
    }

    private static ConfigMap object(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static RetryInfo retry() {
        return new RetryInfo() {
            @Override
            public int getAttemptCount() {
                return 1;
            }

            @Override
            public boolean isLastAttempt() {
                return false;
            }
        };
    }

    private static <T> ControllerExecution<T> execution(Callable<T> body) {
        return new ControllerExecution<>() {
            @Override
            public String name() {
                return "reconcile";
            }

            @Override
            public String controllerName() {
                return "sample";
            }

            @Override
            public String successTypeName(T result) {
                return "none";
            }

            @Override
            public ResourceID resourceID() {
                return new ResourceID("a", "ns");
            }

            @Override
            public Map<String, Object> metadata() {
                return METADATA;
            }

            @Override
            public T execute() throws Exception {
                return body.call();
            }
        };
    }
}
