package io.capoa.runtime.manager;

import io.capoa.runtime.health.Endpoint;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.BooleanSupplier;

/** The process's meters and their Prometheus page. */
final class ProcessMeters {

    private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConditionGauges conditions = new ConditionGauges(registry);

    ConditionGauges conditions() {
        return conditions;
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Meters of the JVM and of this build; management beans load slowly, so this waits until the caches are synced. */
    void bindProcess(ManagerDescription description, Closers closers) {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        var collector = new JvmGcMetrics();
        collector.bindTo(registry);
        closers.add(collector);
        Gauge.builder("capoa.build.info", () -> 1)
                .description("Always 1; the labels say what runs")
                .tag("manager", description.name())
                .tag("version", description.version())
                .tag("java", Runtime.version().toString())
                .register(registry);
    }

    /** {@code leader_election_master_status}, as client-go calls it. */
    void bindLeadership(String lease, BooleanSupplier leading) {
        Gauge.builder("leader.election.master.status", () -> leading.getAsBoolean() ? 1 : 0)
                .description("1 while this replica may reconcile, else 0")
                .tag("name", lease)
                .register(registry);
    }

    /** One page at a time: clients in a hurry share one processor, and the memory of one page. */
    synchronized Endpoint.Response page() {
        conditions.refresh();
        return new Endpoint.Response(200, CONTENT_TYPE, registry.scrape());
    }
}
