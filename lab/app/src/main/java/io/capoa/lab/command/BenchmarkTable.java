package io.capoa.lab.command;

import io.capoa.lab.provider.Provider;
import io.capoa.lab.report.ProcessFigures;
import io.capoa.lab.report.ReconcileTriggers;
import io.capoa.lab.report.Report;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints the figures of a benchmark; docs/performance.md explains each. */
final class BenchmarkTable {

    private static final String API_SERVER = "kube-apiserver";
    private static final int KIB = 1024;
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
                String.format(
                        Locale.ROOT,
                        "Restart: both available after %.1f s",
                        benchmark.restart().availableSeconds()),
                "",
                ROW.formatted("", "bootstrap", "control plane"),
                "| --- | ---: | ---: |",
                row("CPU s until the last is Ready", p -> number(used(report.processes(), p.module()), 2)),
                row("CPU s per cluster", p -> number(used(report.processes(), p.module()) / clusters, 3)),
                row("CPU s a minute at rest", p -> number(aMinute(benchmark, p.module()), 2)),
                row("resident MiB at rest", p -> memory(benchmark.rest().get(p.module()), false)),
                row("resident MiB, peak", p -> memory(benchmark.rest().get(p.module()), true)),
                row(
                        "KiB received per cluster",
                        p -> each(benchmark.received().getOrDefault(p.module(), 0L) / KIB, clusters)),
                row("reconciles per cluster", p -> each(benchmark.reconciles().getOrDefault(p.module(), 0L), clusters)),
                row("writes per cluster", p -> each(sum(benchmark.writes(), p), clusters))));
        Stream<String> sources = benchmark.triggers().values().stream()
                .flatMap(woken -> Stream.concat(woken.wrote().keySet().stream(), woken.idle().keySet().stream()));
        sources.distinct()
                .sorted()
                .forEach(source -> lines.add(
                        row("woken by " + source + ": wrote, did not", p -> woken(benchmark, p, source, clusters))));
        Stream<String> kinds = Arrays.stream(Provider.values())
                .flatMap(provider -> kinds(benchmark.writes(), provider).keySet().stream())
                .distinct()
                .sorted();
        kinds.forEach(kind ->
                lines.add(row(kind, p -> each(kinds(benchmark.writes(), p).getOrDefault(kind, 0L), clusters))));
        lines.addAll(restart(benchmark.restart(), clusters));
        return String.join(System.lineSeparator(), lines);
    }

    private static List<String> restart(Report.Restart restart, int clusters) {
        return List.of(
                row("restart: CPU s", p -> number(used(restart.processes(), p.module()), 2)),
                row(
                        "restart: resident MiB, peak",
                        p -> memory(restart.processes().get(p.module()), true)),
                row(
                        "restart: reconciles per cluster",
                        p -> each(restart.reconciles().getOrDefault(p.module(), 0L), clusters)),
                row("restart: requests per cluster", p -> each(sum(restart.requests(), p), clusters)));
    }

    /** The figure of one provider, as text. */
    private interface Cell {
        String of(Provider provider);
    }

    private static String row(String figure, Cell cell) {
        return ROW.formatted(figure, cell.of(Provider.BOOTSTRAP), cell.of(Provider.CONTROL_PLANE));
    }

    private static String woken(Report.Benchmark benchmark, Provider provider, String source, int clusters) {
        ReconcileTriggers triggers = benchmark.triggers().get(provider.module());
        return triggers == null || triggers.of(source) == 0
                ? "-"
                : each(triggers.wrote().getOrDefault(source, 0L), clusters) + ", "
                        + each(triggers.idle().getOrDefault(source, 0L), clusters);
    }

    private static long sum(Map<String, SortedMap<String, Long>> requests, Provider provider) {
        return kinds(requests, provider).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Without those for leases, which depend on the time alone. */
    private static Map<String, Long> kinds(Map<String, SortedMap<String, Long>> requests, Provider provider) {
        Map<String, Long> kinds = new TreeMap<>(requests.getOrDefault(provider.user(), new TreeMap<>()));
        kinds.keySet().removeIf(kind -> kind.endsWith(" leases"));
        return kinds;
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
