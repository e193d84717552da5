package io.capoa.lint.manifest;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A command line that checks files: its help, its exit codes, and what it says about arguments that cannot be used. */
public final class FileCommand {

    public static final int CLEAN = 0;
    public static final int FOUND = 1;
    public static final int WRONG_COMMAND_LINE = 2;

    /** The option of every command. */
    public static class HelpOption {
        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Prints this help.")
        private boolean help;
    }

    /** What the command does, with its exit code; the message of an exception says why it can do nothing. */
    public interface Check {
        int run() throws IOException;
    }

    private FileCommand() {}

    /**
     * Runs the check with the options of these arguments.
     *
     * @param options annotated for picocli
     */
    public static int execute(HelpOption options, List<String> args, Check check, PrintStream out, PrintStream err) {
        CommandLine commandLine = new CommandLine(options);
        try {
            commandLine.parseArgs(args.toArray(String[]::new));
            if (options.help) {
                commandLine.usage(out, Ansi.OFF);
                return CLEAN;
            }
            return check.run();
        } catch (ParameterException | IOException e) {
            err.println(e.getMessage());
            err.println("Run " + commandLine.getCommandName() + " --help for the arguments and what they take.");
            return WRONG_COMMAND_LINE;
        }
    }
}
