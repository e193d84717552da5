package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.command.LabCommand.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A lab in the background: {@code --detach}, {@code lab/logs}, {@code lab/reload}, {@code lab/down}. */
@Tag("full")
@Tag("whole")
@Order(LabCommand.EARLY)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(LabCommand.ONE_AT_A_TIME)
class BackgroundTest {

    @TempDir
    private Path folder;

    @Test
    void aDetachedLab_runsUntilItIsStopped_andItsProvidersCanBeReplaced() throws Exception {
        Path state = folder.resolve("state");
        try {
            Ended up = LabCommand.up(state, "--detach", "--workers", "0");

            assertThat(up.code()).as(up.text()).isZero();
            assertThat(up.text())
                    .contains("Ready: ")
                    .endsWith("The lab runs in the background. Stop it with lab/down --state " + state + ".");
            assertThat(state.resolve("report.json")).exists();
            assertThat(LabCommand.up(state, "--once"))
                    .isEqualTo(new Ended(
                            3,
                            "Another lab runs with the state folder " + state
                                    + ". Stop it with lab/down, or name another folder with --state."));
            showsLogs(state);

            List<String> before = logs(state);
            Ended reloaded = LabCommand.reload(state, "bootstrap");

            assertThat(reloaded.code()).as(reloaded.text()).isZero();
            assertThat(reloaded.text()).startsWith("bootstrap-provider runs again after ");
            assertThat(logs(state)).hasSize(before.size() + 1).containsAll(before);
            assertThat(LabCommand.reload(state, "other"))
                    .satisfies(ended -> assertThat(ended.code()).isEqualTo(2))
                    .satisfies(ended -> assertThat(ended.text())
                            .contains("There is no provider \"other\", only bootstrap and controlplane."));
        } finally {
            assertThat(LabCommand.script("down", "--state", state.toString()))
                    .isEqualTo(new Ended(0, "The lab has stopped."));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> LabCommand.processesThatMention(state), List::isEmpty);
        assertThat(state.resolve("lab.pid")).doesNotExist();
        String nothing = "No lab runs with the state folder " + state + ".";
        assertThat(LabCommand.script("down", "--state", state.toString())).isEqualTo(new Ended(0, nothing));
        assertThat(LabCommand.script("reload", "--state", state.toString())).isEqualTo(new Ended(3, nothing));
        assertThat(LabCommand.reload(state)).isEqualTo(new Ended(3, nothing));
    }

    private static void showsLogs(Path state) throws Exception {
        Ended all = LabCommand.script("logs", "--state", state.toString());
        Ended pod = LabCommand.script("logs", "--state", state.toString(), "capoa-bootstrap-system/");
        Ended tail = LabCommand.script("logs", "--state", state.toString(), "--tail", "1", "controlplane");

        assertThat(all.code()).isZero();
        assertThat(all.text()).contains("kube-apiserver", "capoa-bootstrap-system.capoa-bootstrap-controller-manager-");
        assertThat(pod.code()).isZero();
        assertThat(pod.text()).contains("holds lease capoa-bootstrap-system");
        assertThat(tail.code()).isZero();
        assertThat(tail.text()).startsWith("{").doesNotContain("\n");
        assertThat(LabCommand.script("logs", "--state", state.toString(), "nothing"))
                .isEqualTo(new Ended(2, "There is no log of nothing; lab/logs lists the logs."));
        assertThat(LabCommand.script("logs", "--state", state.toString(), "capoa")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void aDetachedLabThatDoesNotBecomeReady_isExplained_andStops() throws Exception {
        Path state = folder.resolve("state");

        Ended up = LabCommand.up(state, "--detach", "--timeout", "1", "--delay", "infrastructure=1m");

        assertThat(up.code()).isEqualTo(1);
        assertThat(up.text())
                .contains(
                        "Not ready: 1 of 1",
                        "The lab has ended before its clusters were ready. Its output is in " + state);
        await().atMost(Duration.ofSeconds(20)).until(() -> LabCommand.processesThatMention(state), List::isEmpty);
    }

    @Test
    void withoutALab_theCommandsSaySo() throws Exception {
        Path state = folder.resolve("absent");

        assertThat(LabCommand.script("logs", "--state", state.toString()))
                .isEqualTo(new Ended(3, "No lab has run with the state folder " + state + "."));
        assertThat(LabCommand.script("down", "--state", state.toString()).code())
                .isZero();
    }

    @Test
    void everyCommand_hasHelp_andRefusesUnknownOptionsWithTheSameCode() throws Exception {
        for (String command : List.of("up", "down", "logs", "reload")) {
            Ended help = LabCommand.script(command, "--help");
            assertThat(help.code()).isZero();
            assertThat(help.text()).startsWith("Usage: lab/" + command);
        }
        for (String command : List.of("down", "logs", "reload")) {
            assertThat(LabCommand.script(command, "--every").code()).isEqualTo(2);
        }
    }

    private static List<String> logs(Path state) throws IOException {
        try (Stream<Path> files = Files.list(state.resolve("logs"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("capoa-"))
                    .toList();
        }
    }
}
