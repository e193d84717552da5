package io.capoa.runtime.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.capoa.runtime.threads.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the heap that a busy time needed back to the system, once the process is at rest. The serial collector changes the
 * size of the heap only in a full collection, of which a process at rest has none for hours, and then leaves up to 70 %
 * free. One collection after each busy time costs about 0.1 s, a thirtieth of the least that makes a time busy.
 */
public final class HeapReturn implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HeapReturn.class);

    private static final Duration PERIOD = Duration.ofSeconds(30);

    /** Free parts of the heap, in percent. JVM flags that may change while it runs. */
    private static final String LEAST_FREE = "MinHeapFreeRatio";

    private static final String MOST_FREE = "MaxHeapFreeRatio";

    private static final String LEAST_AT_REST = "5";
    private static final String MOST_AT_REST = "10";

    private final QuietPeriods quiet = new QuietPeriods();
    private final Thread thread;

    private HeapReturn(Duration period) {
        thread = VirtualThreads.unstarted("heap-return", () -> run(period));
    }

    /** Looks every 30 s whether the process has come to rest. */
    public static HeapReturn start() {
        return start(PERIOD);
    }

    static HeapReturn start(Duration period) {
        HeapReturn started = new HeapReturn(period);
        started.thread.start();
        return started;
    }

    private void run(Duration period) {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        HotSpotDiagnosticMXBean flags = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            while (true) {
                if (quiet.begins(process.getProcessCpuTime(), period)) {
                    collect(flags);
                }
                Thread.sleep(period);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.info("The heap keeps its size at rest: this JVM does not let it be changed", e);
        }
    }

    private static void collect(HotSpotDiagnosticMXBean flags) {
        String least = flags.getVMOption(LEAST_FREE).getValue();
        String most = flags.getVMOption(MOST_FREE).getValue();
        long before = Runtime.getRuntime().totalMemory();
        flags.setVMOption(LEAST_FREE, LEAST_AT_REST);
        flags.setVMOption(MOST_FREE, MOST_AT_REST);
        try {
            System.gc();
        } finally {
            flags.setVMOption(MOST_FREE, most);
            flags.setVMOption(LEAST_FREE, least);
        }
        LOG.debug(
                "At rest: the heap has {} MiB, before {}",
                mebibytes(Runtime.getRuntime().totalMemory()),
                mebibytes(before));
    }

    private static long mebibytes(long bytes) {
        return bytes >> 20;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
