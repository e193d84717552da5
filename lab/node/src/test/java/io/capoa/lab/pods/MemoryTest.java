package io.capoa.lab.pods;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MemoryTest {

    @Test
    void whatAProcessHasStarted_andWhatThatHasStarted_counts() throws Exception {
        // Each shell has another command after its child, and so does not become it.
        // Once the innermost has spoken, none starts another program.
        Process outer =
                new ProcessBuilder("sh", "-c", "sh -c 'sh -c \"echo started; read end\"; exit 1'; exit 1").start();
        try {
            assertThat(outer.inputReader().readLine()).isEqualTo("started");
            long all = Memory.used(outer.pid()).orElseThrow();
            long started = outer.children()
                    .mapToLong(inner -> Memory.used(inner.pid()).orElseThrow())
                    .sum();
            long last = outer.descendants()
                    .filter(process -> process.children().findAny().isEmpty())
                    .mapToLong(inner -> Memory.used(inner.pid()).orElseThrow())
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
