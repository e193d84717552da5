package io.capoa.lab.command;

import io.capoa.lab.provider.Provider;
import io.capoa.lab.report.ProcessFigures;
import io.capoa.lab.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Prints the figures of a benchmark; docs/performance.md explains each. */
final class BenchmarkTable {

    private static final String API_SERVER = "kube-apiserver";
    private static final String ROW = "| %-46s | %12s | %13s |";

    private BenchmarkTable() {}

    /** A Markdown table of both providers, and what does not belong to one of them. */
    static String of(Report report, Report.Benchmark benchmark) {
        Report.Summary summary = report.summary();
        int clusters = summary.clusters();
        List<String> lines = new ArrayList<>(List.of(
                "",
                String.format(
                        Locale.ROOT,
                        "Clusters: %d; first Ready after %s s, last after %.1f s",
                        clusters,
                        summary.firstReadySeconds() == null ? "-" : number(summary.firstReadySeconds(), 1),
                        summary.wallSeconds()),
                String.format(
                        Locale.ROOT,
                        "API server: %s CPU s until the last is Ready, %s CPU s a minute at rest",
                        number(used(report.processes(), API_SERVER), 2),
                        number(aMinute(benchmark, API_SERVER), 2)),
                "",
                ROW.formatted("", "bootstrap", "control plane"),
                "| --- | ---: | ---: |",
                row("CPU s until the last is Ready", p -> number(used(report.processes(), p.module()), 2)),
                row("CPU s per cluster", p -> number(used(report.processes(), p.module()) / clusters, 3)),
                row("CPU s a minute at rest", p -> number(aMinute(benchmark, p.module()), 2)),
                row("resident MiB at rest", p -> memory(benchmark.rest().get(p.module()), false)),
                row("resident MiB, peak", p -> memory(benchmark.rest().get(p.module()), true)),
                row("reconciles per cluster", p -> each(benchmark.reconciles().getOrDefault(p.module(), 0L), clusters)),
                row(
                        "writes per cluster",
                        p -> each(
                                writes(benchmark, p).values().stream()
                                        .mapToLong(Long::longValue)
                                        .sum(),
                                clusters))));
        Map<String, Long> kinds = new TreeMap<>();
        for (Provider provider : Provider.values()) {
            kinds.putAll(writes(benchmark, provider));
        }
        for (String kind : kinds.keySet()) {
            lines.add(row(kind, p -> each(writes(benchmark, p).getOrDefault(kind, 0L), clusters)));
        }
        return String.join(System.lineSeparator(), lines);
    }

    /** The figure of one provider, as text. */
    private interface Cell {
        String of(Provider provider);
    }

    private static String row(String figure, Cell cell) {
        return ROW.formatted(figure, cell.of(Provider.BOOTSTRAP), cell.of(Provider.CONTROL_PLANE));
    }

    /** Without the renewals of leases, which depend on the time alone. */
    private static Map<String, Long> writes(Report.Benchmark benchmark, Provider provider) {
        Map<String, Long> writes = new TreeMap<>(benchmark.writes().getOrDefault(provider.user(), new TreeMap<>()));
        writes.keySet().removeIf(kind -> kind.endsWith(" leases"));
        return writes;
    }

    private static double used(Map<String, ProcessFigures> processes, String process) {
        ProcessFigures figures = processes.get(process);
        return figures == null ? Double.NaN : figures.cpuSecondsSinceApply();
    }

    private static double aMinute(Report.Benchmark benchmark, String process) {
        return used(benchmark.rest(), process) * 60 / benchmark.restSeconds();
    }

    private static String memory(@Nullable ProcessFigures figures, boolean peak) {
        return figures == null ? "-" : "" + (peak ? figures.peakMemoryMiB() : figures.memoryMiB());
    }

    private static String each(long count, int clusters) {
        return number((double) count / clusters, 1);
    }

    private static String number(double value, int digits) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
