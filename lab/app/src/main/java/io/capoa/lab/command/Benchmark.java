package io.capoa.lab.command;

import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.pods.LocalNode.RunningContainer;
import io.capoa.lab.progress.View;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderMetrics;
import io.capoa.lab.report.ProcessFigures;
import io.capoa.lab.report.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Measures the managers of a lab whose clusters are all Ready: at rest, then while they start again.
 *
 * @param mark position in the audit log before the files were applied
 */
record Benchmark(RunningLab lab, View view, AuditLog audit, AuditLog.Mark mark) {

    /** Statuses may be written that long after the last change. */
    private static final Duration WRITES_WITHIN = Duration.ofSeconds(30);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    /** Waits until the lab has settled, measures, restarts both managers and measures again. */
    Report.Benchmark measure(Settings.Rest rest) throws InterruptedException {
        view.say("All are ready. After %d s the lab is measured at rest for %d s, then the managers start again …"
                .formatted(rest.after().toSeconds(), rest.length().toSeconds()));
        Thread.sleep(rest.after());
        SortedMap<String, ProcessFigures> before = lab.figures();
        Instant begin = Instant.now();
        Thread.sleep(rest.length());
        SortedMap<String, ProcessFigures> figures = lab.figures();
        double seconds = Report.seconds(begin, Instant.now());
        figures.replaceAll((name, process) -> process.since(before.get(name)));
        SortedMap<String, ProviderMetrics> metrics = lab.metrics();
        return new Report.Benchmark(
                seconds,
                figures,
                each(metrics, ProviderMetrics::reconciles),
                each(metrics, ProviderMetrics::triggers),
                each(metrics, ProviderMetrics::received),
                Report.writes(audit, mark),
                restart());
    }

    private static <T> SortedMap<String, T> each(
            SortedMap<String, ProviderMetrics> metrics, Function<ProviderMetrics, T> figure) {
        SortedMap<String, T> figures = new TreeMap<>();
        metrics.forEach((program, all) -> figures.put(program, figure.apply(all)));
        return figures;
    }

    private Report.Restart restart() throws InterruptedException {
        Set<Long> old = managers();
        AuditLog.Mark beforeRestart = audit.mark();
        Instant begin = Instant.now();
        Reload.restart(lab.cluster().admin(), List.of(Provider.values()), view::say);
        double available = Report.seconds(begin, Instant.now());
        while (managers().stream().anyMatch(old::contains)) {
            Thread.sleep(BETWEEN_LOOKS);
        }
        Thread.sleep(WRITES_WITHIN);
        return new Report.Restart(
                available,
                lab.figures(),
                each(lab.metrics(), ProviderMetrics::reconciles),
                Report.requests(audit, beforeRestart));
    }

    private Set<Long> managers() {
        return lab.containers().stream().map(RunningContainer::pid).collect(Collectors.toSet());
    }
}
