package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.command.LabCommand.Ended;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as a process: messages of failures, and clean-up. */
@Tag("full")
@Tag("whole")
@Order(LabCommand.EARLY)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(LabCommand.ONE_AT_A_TIME)
class UpTest {

    @TempDir
    private Path folder;

    @Test
    void help_explainsEveryOption() throws Exception {
        Ended ended = run("--help");

        assertThat(ended.code()).isZero();
        assertThat(ended.text())
                .contains(
                        "--once",
                        "--benchmark",
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
        assertThat(ended.text().lines())
                .containsExactly("--clusters takes 1 or more, not 0", "lab/up --help lists the options.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --workers -1          | --workers takes 0 or more, not -1
        --spare-hosts -1      | --spare-hosts takes 0 or more, not -1
        --settle -1           | --settle takes 0 or more, not -1
        --timeout 0           | --timeout takes 1 or more, not 0
        --port 65536          | --port takes 1 to 65535, not 65536
        --crds /no/such       | --crds takes a folder; there is none at /no/such
        --detach --once       | --detach and --once contradict each other
        --speed fast          | --speed takes zero, recorded or real, not "fast"
        --light --speed real  | --light contradicts --speed and --delay
        --light --without hosts | --light contradicts --with and --without
        --every               | Unknown option: '--every'
        """)
    void everyWrongCommandLine_hasTheSameExitCode(String arguments, String message) throws Exception {
        Ended ended = run(arguments.split(" "));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.text()).startsWith(message).endsWith("lab/up --help lists the options.");
        assertThat(ended.text().lines()).hasSizeLessThanOrEqualTo(3);
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

        assertThat(ended).isEqualTo(new Ended(2, "There is no file " + folder.resolve("absent.yaml") + "."));
    }

    @Test
    void aFileWithoutObjects_isNamed() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.yaml"), "# nothing\n");

        Ended ended = run("--once", empty.toString());

        assertThat(ended).isEqualTo(new Ended(2, empty + " contains no Kubernetes object."));
    }

    @Test
    void invalidYaml_isNamedByFileAndLine_beforeAnythingStarts() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.yaml"), "apiVersion: v1\nkind: [ConfigMap\n");

        Ended ended = run("--once", broken.toString());

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.text()).startsWith(broken + ":3: ").doesNotContain("\n");
    }

    @Test
    void anObjectThatTheApiServerRefuses_isNamed_withoutBrackets() throws Exception {
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: wrong
            data:
              no key!: value
            """);

        Ended ended = run("--once", wrong.toString());

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.text())
                .contains("Applying " + wrong + " …", "The API server refuses ConfigMap wrong of " + wrong)
                .doesNotContain("\tat ", "[" + wrong);
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

        Ended ended = LabCommand.up(file.resolve("state"), "--once");

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.text()).contains("Cannot write to the state folder").doesNotContain("\tat ");
    }

    @Test
    void interruptedAtAnyMoment_nothingIsLeftBehind() throws Exception {
        for (int afterMillis : new int[] {300, 2_000, 4_500}) {
            Path state = folder.resolve("state-" + afterMillis);
            Process lab = LabCommand.start(state, "--once");
            assertThat(lab.waitFor(afterMillis, TimeUnit.MILLISECONDS)).isFalse();

            lab.destroy();

            assertThat(lab.waitFor(LabCommand.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            await().atMost(Duration.ofSeconds(20)).until(() -> LabCommand.processesThatMention(state), List::isEmpty);
        }
    }

    @Test
    void aSignal_isAnsweredWithWhatStops_andThatNothingIsLeft() throws Exception {
        Path state = folder.resolve("state");
        Process lab = LabCommand.start(state, "--workers", "0");
        try (BufferedReader output = lab.inputReader()) {
            String line = output.readLine();
            while (line != null && !line.startsWith("Ctrl-C stops everything")) {
                line = output.readLine();
            }
            assertThat(line).isNotNull();

            // Process.destroy would close the stream, too.
            boolean unused = lab.toHandle().destroy();

            assertThat(output.lines())
                    .containsExactly(
                            "Stopping the API server, the providers and the simulated peers …",
                            "Stopped; nothing is left running. Logs and the audit log are in " + state + ".");
        }
        assertThat(lab.waitFor(LabCommand.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(LabCommand.processesThatMention(state)).isEmpty();
    }

    @Test
    void whatIsNotReadyInTime_isExplained_andTheReportSaysSo() throws Exception {
        Path state = folder.resolve("state");

        Ended ended = LabCommand.up(state, "--once", "--timeout", "10", "--delay", "infrastructure=1m");

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.text()).contains("Not ready: 1 of 1").contains("Cluster multinode: InfrastructureReady");
        assertThat(Files.readString(state.resolve("report.json"))).contains("\"ready\" : false");
        assertThat(LabCommand.processesThatMention(state)).isEmpty();
    }

    @Test
    void aBenchmark_printsWhatBothManagersHaveDone() throws Exception {
        Ended ended = run("--once", "--workers", "0", "--benchmark", "1", "--settle", "1");

        assertThat(ended.text()).contains("Clusters: 1; first Ready after");
        assertThat(ended.text()).containsPattern("reconciles per cluster +\\| +[1-9][0-9.]* \\| +[1-9]");
        assertThat(ended.text()).containsPattern("patch machines +\\| +0.0 \\| +3.0");
        assertThat(ended.code()).isZero();
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        return LabCommand.up(folder.resolve("state"), arguments);
    }
}
