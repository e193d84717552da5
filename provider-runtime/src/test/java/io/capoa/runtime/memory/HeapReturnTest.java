package io.capoa.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** With the managers' JVM options, as a process of its own. */
@Execution(ExecutionMode.CONCURRENT)
class HeapReturnTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void afterABusyTime_theHeapIsAsSmallAsItsContent() throws Exception {
        Path options = Path.of(System.getProperty("user.dir"), "..", "config", "jvm.options");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + options,
                        "-XX:MaxRAM=320m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Busy.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("smaller", "40 70");
    }

    /** Needs 60 MiB for a moment, and keeps 10. */
    static final class Busy {

        private static List<byte[]> kept = new ArrayList<>();

        public static void main(String[] args) {
            for (int i = 0; i < 60; i++) {
                kept.add(new byte[1 << 20]);
            }
            System.gc();
            kept = new ArrayList<>(kept.subList(0, 10));
            long large = Runtime.getRuntime().totalMemory();
            if (large < 60 << 20) {
                throw new IllegalStateException("the heap has " + large + " bytes");
            }
            HeapReturn started = HeapReturn.start(Duration.ofMillis(300));
            await().atMost(TIMEOUT).untilAsserted(() -> {
                assertThat(Runtime.getRuntime().totalMemory()).isLessThanOrEqualTo(30 << 20);
                assertThat(flag("MaxHeapFreeRatio")).isEqualTo("70");
            });
            started.close();
            System.out.println("smaller, again with " + flag("MinHeapFreeRatio") + " " + flag("MaxHeapFreeRatio"));
        }

        private static String flag(String name) {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption(name)
                    .getValue();
        }
    }
}
