package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.Lab;
import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs commands of the lab as processes. */
final class LabCommand {

    /** Lock of the suites that start labs by commands: each is a whole lab beside those of other suites. */
    static final String ONE_AT_A_TIME = "labs of commands";

    /** Order of those suites: as one runs at a time, they begin before suites that run side by side. */
    static final int EARLY = 2;

    static final Duration PATIENCE = Duration.ofSeconds(90);

    private LabCommand() {}

    /**
     * An ended process.
     *
     * @param text everything that it printed, without spaces at both ends
     */
    record Ended(int code, String text) {}

    /** {@code lab/up} with these arguments; the lab's program, without the script. */
    static Ended up(Path state, String... arguments) throws IOException, InterruptedException {
        return ended(start(state, arguments));
    }

    static Process start(Path state, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("--state", state.toString()));
        all.addAll(List.of(arguments));
        return program(all);
    }

    /** The program behind {@code lab/reload}. */
    static Ended reload(Path state, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("reload", "--state", state.toString()));
        all.addAll(List.of(arguments));
        return ended(program(all));
    }

    /** The program behind {@code lab/conformance}. */
    static Ended conformance(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("conformance"));
        all.addAll(List.of(arguments));
        return ended(program(all));
    }

    /** A script of the folder {@code lab}. */
    static Ended script(String name, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(ProjectRoot.find().resolve("lab").resolve(name).toString()));
        command.addAll(List.of(arguments));
        return ended(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private static Process program(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Lab.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static Ended ended(Process process) throws IOException, InterruptedException {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), text.strip());
    }

    /** Command lines of processes of the lab with that state folder. */
    static List<String> processesThatMention(Path state) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(state.toString()))
                .toList();
    }
}
