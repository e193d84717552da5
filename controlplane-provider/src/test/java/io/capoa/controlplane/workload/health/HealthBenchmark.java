package io.capoa.controlplane.workload.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadClusters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CPU time of the background queries to many idle installed clusters, in a process with the flags of the provider's image.
 * The simulated clusters are in this process. Not part of the build; run by hand, see docs/testing.md.
 */
class HealthBenchmark {

    private static final int CLUSTERS = Integer.getInteger("capoa.clusters", 300);
    private static final int SECONDS = Integer.getInteger("capoa.seconds", 120);

    @Test
    void manyIdleClusters(@TempDir Path folder) throws Exception {
        try (WorkloadClusters clusters = new WorkloadClusters(0).start()) {
            List<String> kubeconfigs = new ArrayList<>();
            AtomicInteger requests = new AtomicInteger();
            AtomicInteger commands = new AtomicInteger();
            for (int n = 0; n < CLUSTERS; n++) {
                Workload cluster = ThreeNodes.install(clusters, "cluster-" + n);
                kubeconfigs.add(ThreeNodes.kubeconfig(cluster));
                cluster.onRequest(request -> {
                    requests.incrementAndGet();
                    if (request.endsWith("/exec")) {
                        commands.incrementAndGet();
                    }
                });
            }
            Path file = Files.write(folder.resolve("kubeconfigs"), kubeconfigs);
            Path jvmOptions = Path.of(System.getProperty("user.dir"), "..", "config", "jvm.options");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "@" + jvmOptions,
                            "-XX:MaxRAM=320m",
                            "-XX:ActiveProcessorCount=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            HealthBenchmarkProcess.class.getName(),
                            file.toString(),
                            Integer.toString(SECONDS))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String report = new String(process.getInputStream().readAllBytes(), UTF_8);
            System.out.printf("%d requests since the start, %d of them commands%n", requests.get(), commands.get());
            System.out.println(report.lines().reduce("", (before, line) -> line));
            assertThat(process.waitFor()).isZero();
        }
    }
}
