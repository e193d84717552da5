package io.capoa.controlplane.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
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
            for (int n = 0; n < CLUSTERS; n++) {
                kubeconfigs.add(install(clusters, "cluster-" + n));
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
            System.out.println(report.lines().reduce("", (before, line) -> line));
            assertThat(process.waitFor()).isZero();
        }
    }

    /** A cluster with three nodes; returns its kubeconfig in base64. */
    private static String install(WorkloadClusters clusters, String id) throws IOException, InterruptedException {
        Workload workload = clusters.create(id, ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        workload.complete();
        WorkloadApi kubelet = WorkloadApi.of(workload.kubeletKubeconfig());
        for (int n = 0; n < 3; n++) {
            String node = "n-" + n;
            kubelet.send("PUT", "/machines/" + node + "?role=master", Map.of());
            kubelet.send(
                    "POST",
                    "/api/v1/nodes",
                    Map.of(
                            "metadata",
                            Map.of("name", node, "labels", Map.of("node-role.kubernetes.io/master", "")),
                            "status",
                            Map.of(
                                    "addresses",
                                    List.of(Map.of("type", "InternalIP", "address", "192.0.2.1" + n)),
                                    "conditions",
                                    List.of(Map.of("type", "Ready", "status", "True")))));
        }
        return Base64.getEncoder().encodeToString(workload.kubeconfig().getBytes(UTF_8));
    }
}
