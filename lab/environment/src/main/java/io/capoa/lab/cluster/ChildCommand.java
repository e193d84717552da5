package io.capoa.lab.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Command line and settings of a {@link ChildProcess}.
 *
 * @param name name in messages
 * @param command program and arguments
 * @param log file to which both outputs are appended
 * @param grace time from TERM to KILL, in whole seconds
 * @param directory working directory, if not this JVM's
 * @param environment variables set in addition to this JVM's
 * @param ownEnvironment whether it inherits only {@code PATH} of this JVM's variables
 * @param removeAfterwards directory that is deleted when the command is stopped, also by the end of this JVM; it is
 *     kept if the command exits by itself
 */
public record ChildCommand(
        String name,
        List<String> command,
        Path log,
        Duration grace,
        Optional<Path> directory,
        SortedMap<String, String> environment,
        boolean ownEnvironment,
        Optional<Path> removeAfterwards) {

    private static final Duration USUAL_GRACE = Duration.ofSeconds(5);

    public ChildCommand {
        command = List.copyOf(command);
    }

    public static ChildCommand of(String name, Path log, List<String> command) {
        return new ChildCommand(
                name, command, log, USUAL_GRACE, Optional.empty(), new TreeMap<>(), false, Optional.empty());
    }

    public ChildCommand withGrace(Duration duration) {
        return new ChildCommand(name, command, log, duration, directory, environment, ownEnvironment, removeAfterwards);
    }

    public ChildCommand inDirectory(Path path) {
        return new ChildCommand(
                name, command, log, grace, Optional.of(path), environment, ownEnvironment, removeAfterwards);
    }

    public ChildCommand withEnvironment(Map<String, String> variables) {
        return new ChildCommand(
                name, command, log, grace, directory, new TreeMap<>(variables), ownEnvironment, removeAfterwards);
    }

    /** As {@link #withEnvironment}, but inherits only {@code PATH}. */
    public ChildCommand withOnlyEnvironment(Map<String, String> variables) {
        return new ChildCommand(name, command, log, grace, directory, new TreeMap<>(variables), true, removeAfterwards);
    }

    public ChildCommand removingAfterwards(Path path) {
        return new ChildCommand(name, command, log, grace, directory, environment, ownEnvironment, Optional.of(path));
    }

    /** Starts it; {@code unexpectedExit} is called if it exits without having been stopped. */
    public ChildProcess start(Consumer<ChildProcess.Exit> unexpectedExit) {
        return ChildProcess.start(this, unexpectedExit);
    }
}
