package io.capoa.controlplane.workload.health;

import com.sun.management.OperatingSystemMXBean;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.client.WorkloadClusterPoller;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The measured process of {@link HealthBenchmark}: it polls clusters as the provider does, and prints its CPU time. */
final class HealthBenchmarkProcess {

    private static final String TARGET = "4.20.3";
    private static final int WARM_UP_SECONDS = 60;
    private static final double NANOS = 1e9;

    private HealthBenchmarkProcess() {}

    /** Takes a file with a kubeconfig in base64 a line, and how many seconds to measure. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        List<String> kubeconfigs = Files.readAllLines(Path.of(arguments[0]));
        int seconds = Integer.parseInt(arguments[1]);
        AtomicInteger refreshes = new AtomicInteger();
        AtomicInteger changes = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        AtomicReference<String> problem = new AtomicReference<>("");
        try (WorkloadClusterPoller poller = new WorkloadClusterPoller(Clock.systemUTC())) {
            poller.onChange(id -> changes.incrementAndGet());
            for (int n = 0; n < kubeconfigs.size(); n++) {
                String kubeconfig = kubeconfigs.get(n);
                HealthRounds rounds = new HealthRounds(false);
                ResourceID id = new ResourceID("cp-" + n, "ns");
                poller.use(id, kubeconfig);
                var unasked = poller.observed(
                        id,
                        "health",
                        false,
                        () -> {
                            ControlPlaneHealth health =
                                    InstalledCluster.health(kubeconfig, rounds, Set.of(), Clock.systemUTC());
                            refreshes.incrementAndGet();
                            if (health.loss() != ControlPlaneHealth.Loss.NONE
                                    || health.etcd().members().isEmpty()) {
                                failures.incrementAndGet();
                                problem.set(
                                        health.api().failure() + health.etcd().unknown());
                            }
                            return health;
                        },
                        health -> health.loss() == ControlPlaneHealth.Loss.NONE);
                var unknown = poller.followed(
                        id,
                        "version",
                        true,
                        () -> InstalledCluster.upgrade(kubeconfig, TARGET),
                        state -> state.isSettled(TARGET));
            }
            Thread.sleep(WARM_UP_SECONDS * 1000L);
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            long before = system.getProcessCpuTime();
            int asked = refreshes.get();
            int changed = changes.get();
            int failed = failures.get();
            Thread.sleep(seconds * 1000L);
            System.out.printf(
                    "%d idle clusters: %.3f cores, %.1f refreshes of health a second, %d failed (%s), %d changes, %d threads%n",
                    kubeconfigs.size(),
                    (system.getProcessCpuTime() - before) / NANOS / seconds,
                    (double) (refreshes.get() - asked) / seconds,
                    failures.get() - failed,
                    problem.get(),
                    changes.get() - changed,
                    ManagementFactory.getThreadMXBean().getThreadCount());
        }
    }
}
