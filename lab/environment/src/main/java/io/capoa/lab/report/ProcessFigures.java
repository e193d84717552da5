package io.capoa.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * CPU time and memory of a process.
 *
 * @param cpuSeconds sum of user and system time
 * @param cpuSecondsSinceApply the part after the files were applied
 * @param peakMemoryMiB largest resident memory; -1 if the system does not report it
 * @param memoryMiB resident memory now; -1 if the system does not report it
 */
public record ProcessFigures(double cpuSeconds, double cpuSecondsSinceApply, long peakMemoryMiB, long memoryMiB) {

    private static final String PEAK = "VmHWM:";
    private static final String NOW = "VmRSS:";

    /** Figures of a running process; empty if it has exited. */
    public static Optional<ProcessFigures> of(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).map(process -> {
            double cpu = process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
            return new ProcessFigures(cpu, cpu, memory(pid, PEAK), memory(pid, NOW));
        });
    }

    /** The same figures, with the CPU time since earlier ones. */
    public ProcessFigures since(@Nullable ProcessFigures before) {
        double used = before == null ? cpuSeconds : cpuSeconds - before.cpuSeconds;
        return new ProcessFigures(cpuSeconds, Math.round(used * 1000) / 1000.0, peakMemoryMiB, memoryMiB);
    }

    private static long memory(long pid, String line) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(each -> each.startsWith(line))
                    .map(each -> each.substring(line.length()).replace("kB", "").strip())
                    .mapToLong(kib -> Long.parseLong(kib) / 1024)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }
}
