package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The shell script that supervises child processes, and the command line that starts it in its own process group. */
final class SupervisorScript {

    private static final String TEXT = read();

    private SupervisorScript() {}

    static List<String> commandLine(ChildCommand command) {
        return commandLine(command, "sh");
    }

    static List<String> commandLine(ChildCommand command, String shell) {
        List<String> line = new ArrayList<>(processGroupOfItsOwn());
        line.addAll(List.of(
                shell,
                "-c",
                TEXT,
                "supervise",
                command.log().toAbsolutePath().toString(),
                Long.toString(command.grace().toSeconds()),
                command.removeAfterwards()
                        .map(path -> path.toAbsolutePath().toString())
                        .orElse("")));
        line.addAll(command.command());
        return line;
    }

    /**
     * setsid on Linux, Perl on macOS; without either Ctrl-C also reaches the children, which then end a little earlier.
     */
    private static List<String> processGroupOfItsOwn() {
        if (onPath("setsid").isPresent()) {
            return List.of("setsid");
        }
        if (onPath("perl").isPresent()) {
            return List.of("perl", "-e", "setpgrp(0, 0); exec @ARGV or die $!");
        }
        return List.of();
    }

    /** Finds an executable in this process's {@code PATH}. */
    static Optional<Path> onPath(String executable) {
        return onPath(executable, System.getenv("PATH"));
    }

    /** Finds an executable in a search path. */
    static Optional<Path> onPath(String executable, @Nullable String path) {
        return Stream.of((path == null ? "" : path).split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, executable))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String read() {
        try (InputStream in = SupervisorScript.class.getResourceAsStream("supervise.sh")) {
            if (in == null) {
                throw new IllegalStateException("supervise.sh is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
