package io.capoa.lab.command;

import io.capoa.lab.cluster.ClusterException;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Exit codes of the lab's commands, and what they print about a failure. */
public final class ExitCode {

    /** The lab or a cluster failed, or was not ready in time. */
    static final int FAILED = 1;

    /** The command line, a file or an object in it is invalid; picocli gives it too. */
    static final int INVALID = 2;

    /** A lab runs with the state folder where none may, or none where one has to. */
    static final int CONFLICT = 3;

    private ExitCode() {}

    /** Prints what is wrong with a command line, and where the options are explained. */
    public static int wrong(ParameterException failure, String... arguments) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println(failure.getMessage());
        UnmatchedArgumentException.printSuggestions(failure, command.getErr());
        command.getErr().println("%s --help lists the options.".formatted(command.getCommandName()));
        command.getErr().flush();
        return INVALID;
    }

    /** Prints a message for a known failure, and the stack trace of any other. */
    public static int explain(Exception failure, CommandLine command, ParseResult parsed) {
        Optional<String> connection = Unanswered.describe(failure);
        Optional<IOException> disk = Unanswered.causes(failure)
                .filter(IOException.class::isInstance)
                .map(IOException.class::cast)
                .findFirst();
        if (failure instanceof ClusterException) {
            command.getErr().println(failure.getMessage());
            command.getErr().flush();
            return switch (failure) {
                case InvalidInput ignored -> INVALID;
                case StateConflict ignored -> CONFLICT;
                default -> FAILED;
            };
        } else if (connection.isPresent()) {
            command.getErr().println(connection.get());
        } else if (disk.isPresent()) {
            command.getErr()
                    .println(
                            "The lab cannot read or write its files: %s. Free disk space, or choose another folder with --state."
                                    .formatted(disk.get().getMessage()));
        } else {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return FAILED;
    }
}
