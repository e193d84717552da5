package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.provider.Provider;
import io.capoa.lab.report.ProcessFigures;
import io.capoa.lab.report.ReconcileTriggers;
import io.capoa.lab.report.Report;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BenchmarkTableTest {

    private static final Report REPORT = new Report(
            "2026-01-01T00:00:00Z",
            1,
            true,
            new Report.Summary(4, 20, 5.0, 1, 10),
            List.of(),
            new TreeMap<>(),
            new TreeMap<>(Map.of(
                    "bootstrap-provider", new ProcessFigures(5, 2, 150, 140),
                    "kube-apiserver", new ProcessFigures(30, 12.5, 500, 400))),
            null);

    private static final Report.Benchmark BENCHMARK = new Report.Benchmark(
            30,
            new TreeMap<>(Map.of(
                    "bootstrap-provider", new ProcessFigures(5.1, 0.1, 151, 120),
                    "kube-apiserver", new ProcessFigures(31, 1, 500, 400))),
            new TreeMap<>(Map.of("bootstrap-provider", 90L)),
            new TreeMap<>(Map.of(
                    "bootstrap-provider",
                    new ReconcileTriggers(new TreeMap<>(Map.of("Agent", 6L)), new TreeMap<>(Map.of("Agent", 27L))))),
            new TreeMap<>(Map.of("bootstrap-provider", 40L * 1024)),
            new TreeMap<>(Map.of(
                    Provider.BOOTSTRAP.user(),
                    new TreeMap<>(Map.of("patch infraenvs", 12L, "update leases", 100L)),
                    Provider.CONTROL_PLANE.user(),
                    new TreeMap<>(Map.of("create metal3machines", 10L)))),
            new Report.Restart(
                    7.5,
                    new TreeMap<>(Map.of("bootstrap-provider", new ProcessFigures(3.25, 3.25, 160, 130))),
                    new TreeMap<>(Map.of("bootstrap-provider", 6L)),
                    new TreeMap<>(Map.of(
                            Provider.BOOTSTRAP.user(), new TreeMap<>(Map.of("list secrets", 8L, "get leases", 15L))))));

    @Test
    void everyFigure_hasItsRow() {
        List<List<String>> rows = BenchmarkTable.of(REPORT, BENCHMARK)
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
                .map(line ->
                        List.of(line.substring(2, line.length() - 2).strip().split(" +\\| +")))
                .toList();

        assertThat(rows)
                .contains(
                        List.of("CPU s until the last is Ready", "2.00", "-"),
                        List.of("CPU s per cluster", "0.500", "-"),
                        List.of("CPU s a minute at rest", "0.20", "-"),
                        List.of("resident MiB at rest", "120", "-"),
                        List.of("resident MiB, peak", "151", "-"),
                        List.of("KiB received per cluster", "10.0", "0.0"),
                        List.of("reconciles per cluster", "22.5", "0.0"),
                        List.of("woken by Agent: wrote, did not", "1.5, 6.8", "-"),
                        List.of("create metal3machines", "0.0", "2.5"),
                        List.of("patch infraenvs", "3.0", "0.0"),
                        List.of("restart: CPU s", "3.25", "-"),
                        List.of("restart: resident MiB, peak", "160", "-"),
                        List.of("restart: reconciles per cluster", "1.5", "0.0"),
                        List.of("restart: requests per cluster", "2.0", "0.0"));
    }

    @Test
    void leases_areNoWritesOfACluster() {
        assertThat(BenchmarkTable.of(REPORT, BENCHMARK))
                .containsPattern("writes per cluster +\\| +3\\.0 \\| +2\\.5 ")
                .doesNotContain("leases");
    }

    @Test
    void theHead_namesTimesAndTheApiServer() {
        assertThat(BenchmarkTable.of(REPORT, BENCHMARK))
                .contains("Clusters: 4; first Ready after 5.0 s, last after 20.0 s")
                .contains("API server: 12.50 CPU s until the last is Ready, 2.00 CPU s a minute at rest")
                .contains("Restart: both available after 7.5 s");
    }
}
