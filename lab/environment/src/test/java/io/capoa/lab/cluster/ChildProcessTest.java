package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("children of one test")
class ChildProcessTest {

    private static final String STUBBORN = "trap '' TERM; echo started; while :; do sleep 0.2; done";

    @TempDir
    private Path folder;

    @Test
    void whenTheCommandEndsByItself_theListenerGetsTheEndOfItsLog() throws Exception {
        CompletableFuture<ChildProcess.Exit> told = new CompletableFuture<>();

        shell("ends", "echo one; echo two >&2; exit 7").start(told::complete);

        ChildProcess.Exit exit = told.get(10, TimeUnit.SECONDS);
        assertThat(exit.code()).isEqualTo(7);
        assertThat(exit.lastLines()).containsExactly("one", "two");
        assertThat(exit.describe()).contains("ends ended with exit code 7").contains("two");
    }

    @Test
    void whenStopped_theCommandGetsTermAndTheListenerIsNotCalled() throws Exception {
        CompletableFuture<ChildProcess.Exit> told = new CompletableFuture<>();
        ChildProcess child = shell("polite", "trap 'echo bye; exit 0' TERM; echo started; while :; do sleep 0.1; done")
                .start(told::complete);
        awaitStarted(child);

        child.stop();

        assertThat(child.isAlive()).isFalse();
        assertThat(child.logTail()).contains("bye");
        assertThat(told).isNotDone();
    }

    @Test
    void whenTheCommandIgnoresTerm_itIsKilledAfterTheGracePeriod() throws Exception {
        ChildProcess child =
                shell("stubborn", STUBBORN).withGrace(Duration.ofSeconds(1)).start(exit -> {});
        awaitStarted(child);

        child.stop();

        assertThat(ProcessHandle.of(child.pid())).isEmpty();
    }

    @Test
    void whenTheCommandHasEnded_theFolderItUsedIsRemoved() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("file"), "content");
        ChildProcess child =
                shell("uses-data", "sleep 60").removingAfterwards(data).start(exit -> {});

        child.stop();

        assertThat(data).doesNotExist();
    }

    @Test
    void whenTheCommandEndsByItself_theFolderStaysForItsSuccessor() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        ChildProcess child = shell("ends", "exit 3").removingAfterwards(data).start(exit -> {});

        assertThat(child.ended().get(10, TimeUnit.SECONDS)).isEqualTo(3);

        assertThat(data).exists();
    }

    @Test
    void whenStarted_theCommandIsInAnotherProcessGroupThanThisJvm() throws Exception {
        ChildProcess child = shell("group", "sleep 60").start(exit -> {});
        try {
            assertThat(group(child.pid()))
                    .isNotEqualTo(group(ProcessHandle.current().pid()));
        } finally {
            child.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash", "sh"})
    void whenTheStarterIsGone_theCommandEndsUnderEveryShellThatIsInstalled(String shell) throws Exception {
        assumeTrue(SupervisorScript.onPath(shell).isPresent(), shell + " is not installed");
        ChildCommand command = shell("under-" + shell, STUBBORN).withGrace(Duration.ofSeconds(1));
        Process supervisor = new ProcessBuilder(SupervisorScript.commandLine(command, shell)).start();
        long pid = Long.parseLong(supervisor.inputReader().readLine());
        assertThat(ProcessHandle.of(pid)).isPresent();

        supervisor.getOutputStream().close();

        await().atMost(Duration.ofSeconds(10)).until(() -> ProcessHandle.of(pid).isEmpty());
    }

    @Test
    void whenTheJvmIsKilled_itsChildrenEnd() throws Exception {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                StartsAChild.class.getName(),
                folder.resolve("child.log").toString()));
        Process jvm = new ProcessBuilder(line).redirectErrorStream(true).start();
        long child = Long.parseLong(jvm.inputReader().readLine());
        assertThat(ProcessHandle.of(child)).isPresent();

        jvm.destroyForcibly();

        await().atMost(Duration.ofSeconds(10))
                .until(() -> ProcessHandle.of(child).isEmpty());
    }

    /** A JVM with a child that does not end by itself. */
    static final class StartsAChild {

        private StartsAChild() {}

        public static void main(String[] arguments) throws InterruptedException {
            ChildProcess child = ChildCommand.of("child", Path.of(arguments[0]), List.of("sleep", "600"))
                    .start(exit -> {});
            System.out.println(child.pid());
            Thread.sleep(Duration.ofMinutes(10));
        }
    }

    private ChildCommand shell(String name, String script) {
        return ChildCommand.of(name, folder.resolve(name + ".log"), List.of("sh", "-c", script))
                .withEnvironment(Map.of("LC_ALL", "C"));
    }

    private static void awaitStarted(ChildProcess child) {
        await().atMost(Duration.ofSeconds(10)).until(() -> child.logTail().contains("started"));
    }

    private static String group(long pid) throws IOException {
        Process ps = new ProcessBuilder("ps", "-o", "pgid=", "-p", Long.toString(pid)).start();
        return new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
}
