package io.capoa.lab.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MemoryTest {

    @Test
    void whatAProcessHasStarted_andWhatThatHasStarted_counts() throws Exception {
        // Each shell has another command after its child, and so does not become it.
        Process outer = new ProcessBuilder("sh", "-c", "sh -c 'sleep 60; exit 1'; exit 1").start();
        try {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> outer.descendants().count() == 2);
            long all = Memory.used(outer.pid()).orElseThrow();
            long started = outer.children()
                    .mapToLong(inner -> Memory.used(inner.pid()).orElseThrow())
                    .sum();
            long last = outer.descendants()
                    .filter(process -> process.children().findAny().isEmpty())
                    .mapToLong(sleep -> Memory.used(sleep.pid()).orElseThrow())
                    .sum();

            assertThat(last).isPositive();
            assertThat(started).isGreaterThan(last);
            assertThat(all).isGreaterThan(started);
        } finally {
            outer.descendants().forEach(ProcessHandle::destroyForcibly);
            outer.destroyForcibly();
        }
    }

    @Test
    void aProcessThatHasExited_usesNothing() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();

        assertThat(Memory.used(process.pid())).isEmpty();
    }
}
