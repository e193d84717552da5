package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Enforces memory limits once a second: a container above its limit is killed, as the kernel's OOM killer does. */
final class MemoryLimits implements AutoCloseable {

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("memory").factory());

    /** @param check run once a period, on a thread of its own */
    MemoryLimits(Runnable check) {
        var unused = timer.scheduleAtFixedRate(check, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Kills the containers of a pod that use more than their limit. */
    static void enforce(Pod pod, @Nullable PodRun run, PodEvents events) {
        if (run != null) {
            run.containers().forEach(container -> enforce(pod, container, events));
        }
    }

    private static void enforce(Pod pod, ContainerRun container, PodEvents events) {
        container
                .process()
                .ifPresent(process -> PodLimits.memory(container.container())
                        .ifPresent(limit -> Memory.used(process.pid()).ifPresent(used -> {
                            if (used > limit) {
                                events.warn(
                                        pod,
                                        "OOMKilling",
                                        "Memory limit of container %s exceeded: %d MiB of %d MiB, killed"
                                                .formatted(container.container().getName(), used >> 20, limit >> 20));
                                container.kill("OOMKilled");
                            }
                        })));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
