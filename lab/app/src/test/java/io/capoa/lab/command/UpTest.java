package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.Lab;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process: messages of failures, and clean-up. */
@Tag("whole")
class UpTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private record Ended(int code, String text) {}

    @Test
    void help_explainsEveryOption() throws Exception {
        Ended ended = run("--help");

        assertThat(ended.code()).isZero();
        assertThat(ended.text())
                .contains(
                        "--once",
                        "--clusters",
                        "--workers",
                        "--speed",
                        "--delay",
                        "--state",
                        "report.json",
                        "audit.log");
    }

    @Test
    void aWrongCommandLine_isExplained() throws Exception {
        Ended ended = run("--clusters", "0");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.text()).contains("--clusters takes 1 or more, not 0");
    }

    @Test
    void anUnknownDelay_namesTheOnesThereAre() throws Exception {
        Ended ended = run("--delay", "coffee=2s");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.text())
                .contains("no step \"coffee\"")
                .contains("infrastructure")
                .contains("registry");
    }

    @Test
    void aMissingFile_isNamed_beforeAnythingStarts() throws Exception {
        Ended ended = run("--once", folder.resolve("absent.yaml").toString());

        assertThat(ended).isEqualTo(new Ended(1, "There is no file " + folder.resolve("absent.yaml") + "."));
    }

    @Test
    void aFileWithoutObjects_isNamed() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.yaml"), "# nothing\n");

        Ended ended = run("--once", empty.toString());

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.text()).contains(empty.toString()).doesNotContain("\tat ");
    }

    @Test
    void aBusyPort_isNamed() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ended ended = run("--once", "--port", String.valueOf(busy.getLocalPort()));

            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.text()).contains("Port " + busy.getLocalPort()).doesNotContain("\tat ");
        }
    }

    @Test
    void aStateFolderThatCannotBeWritten_isNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");

        Ended ended = runWithState(file.resolve("state"), "--once");

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.text()).contains("Cannot write to the state folder").doesNotContain("\tat ");
    }

    @Test
    void interruptedAtAnyMoment_nothingIsLeftBehind() throws Exception {
        for (int afterMillis : new int[] {300, 2_000, 4_500}) {
            Path state = folder.resolve("state-" + afterMillis);
            Process lab = start(state, "--once");
            assertThat(lab.waitFor(afterMillis, TimeUnit.MILLISECONDS)).isFalse();

            lab.destroy();

            assertThat(lab.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            await().atMost(Duration.ofSeconds(20)).until(() -> processesThatMention(state), List::isEmpty);
        }
    }

    @Test
    void whatIsNotReadyInTime_isExplained_andTheReportSaysSo() throws Exception {
        Path state = folder.resolve("state");

        Ended ended = runWithState(state, "--once", "--timeout", "1", "--delay", "infrastructure=1m");

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.text()).contains("Not ready: 1 of 1").contains("Cluster multinode: InfrastructureReady");
        assertThat(Files.readString(state.resolve("report.json"))).contains("\"ready\" : false");
        assertThat(processesThatMention(state)).isEmpty();
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        return runWithState(folder.resolve("state"), arguments);
    }

    private static Ended runWithState(Path state, String... arguments) throws IOException, InterruptedException {
        Process lab = start(state, arguments);
        String text = new String(lab.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(lab.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return new Ended(lab.exitValue(), text.strip());
    }

    private static Process start(Path state, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Lab.class.getName(),
                "--state",
                state.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static List<String> processesThatMention(Path state) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(state.toString()))
                .toList();
    }
}
