package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts the lab as a process of its own, shows what it prints until its clusters are ready, and leaves it running. */
final class Detached {

    /** Created by the lab once its clusters are ready. */
    static final String READY = "ready";

    /** Tells the process that it runs in the background. */
    static final String FLAG = "--in-background";

    private static final String MAIN_CLASS = "io.capoa.lab.Lab";
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    /**
     * A job of its own: no Ctrl-C, and no hang-up of this terminal, reaches it. Its output is there before the shell answers;
     * the job itself opens it later.
     */
    private static final String SPAWN = ": >\"$0\" || exit; set -m; nohup \"$@\" >\"$0\" 2>&1 </dev/null & echo $!";

    private final Path state;
    private final Path output;
    private final PrintStream out;
    private long shown;

    Detached(Path state, PrintStream out) {
        this.state = state;
        this.output = state.resolve("up.log");
        this.out = out;
    }

    /**
     * Returns when the clusters are ready, or the process has ended.
     *
     * @param arguments of the command, without {@code --detach}
     * @return exit code: 0, or 1 if the process has ended
     */
    int execute(List<String> arguments) throws IOException, InterruptedException {
        StateLock.take(state).close();
        Files.deleteIfExists(state.resolve(READY));
        ProcessHandle lab = spawn(arguments);
        Thread stop = new Thread(() -> stop(lab), "stop");
        Runtime.getRuntime().addShutdownHook(stop);
        while (lab.isAlive() && !Files.exists(state.resolve(READY))) {
            show();
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
        }
        show();
        boolean ready = Files.exists(state.resolve(READY));
        if (ready) {
            Runtime.getRuntime().removeShutdownHook(stop);
        }
        if (!ready) {
            out.println("The lab has ended before its clusters were ready. Its output is in %s, its log in %s."
                    .formatted(output, state.resolve("logs").resolve("lab.log")));
        }
        return ready ? 0 : ExitCode.FAILED;
    }

    private void stop(ProcessHandle lab) {
        out.println("Stopping the lab; the rest of its output is in %s.".formatted(output));
        lab.destroy();
    }

    private ProcessHandle spawn(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", SPAWN, output.toString()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN_CLASS, FLAG));
        command.addAll(arguments);
        Process shell = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (shell.waitFor() != 0 || answer.isEmpty()) {
            throw new ClusterException("The lab cannot be started in the background: bash ended with code %d."
                    .formatted(shell.exitValue()));
        }
        return ProcessHandle.of(Long.parseLong(answer))
                .orElseThrow(() -> new ClusterException("The lab has ended at once; see " + output + "."));
    }

    /** Prints what the process has printed since. */
    private void show() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
            byte[] news = new byte[(int) (file.length() - shown)];
            file.seek(shown);
            file.readFully(news);
            shown += news.length;
            out.write(news);
            out.flush();
        }
    }
}
