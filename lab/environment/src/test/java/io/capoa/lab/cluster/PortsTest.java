package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Processes that look for ports in the same place at the same time. */
class PortsTest {

    private static final int PLACE = 20_000;

    /** Picks ports, prints them, and lives until its input ends; it does not listen on them. */
    static final class Other {

        private Other() {}

        public static void main(String[] arguments) throws Exception {
            new Ports(PLACE).pick(3).forEach(System.out::println);
            System.out.flush();
            var unused = System.in.read();
        }
    }

    @Test
    void whatOneProcessHasPicked_isNoOthersUntilItExits() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Integer> theirs;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.UTF_8))) {
            theirs = Stream.of(lines.readLine(), lines.readLine(), lines.readLine())
                    .map(Integer::valueOf)
                    .toList();

            assertThat(new Ports(PLACE).pick(3)).doesNotContainAnyElementsOf(theirs);
        } finally {
            other.getOutputStream().close();
        }
        assertThat(other.waitFor()).isZero();
        assertThat(new Ports(theirs.getFirst()).pick(1)).isEqualTo(theirs.subList(0, 1));
    }

    @Test
    void aProcess_picksAPortOnce() {
        assertThat(new Ports(PLACE).pick(2)).doesNotContainAnyElementsOf(new Ports(PLACE).pick(2));
    }
}
