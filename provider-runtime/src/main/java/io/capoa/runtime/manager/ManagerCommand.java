package io.capoa.runtime.manager;

import io.capoa.runtime.logging.Logging;
import io.capoa.runtime.options.ManagerOptions;
import io.capoa.runtime.options.OptionRules;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The command line of a manager: parses it, prints its help, and runs the process. */
final class ManagerCommand {

    static final int WRONG_COMMAND_LINE = 2;

    private final ManagerDescription description;
    private final ProviderSetup setup;
    private final PrintStream out;
    private final PrintStream err;

    ManagerCommand(ManagerDescription description, ProviderSetup setup) {
        this(description, setup, System.out, System.err);
    }

    ManagerCommand(ManagerDescription description, ProviderSetup setup, PrintStream out, PrintStream err) {
        this.description = description;
        this.setup = setup;
        this.out = out;
        this.err = err;
    }

    int execute(String... args) {
        var options = new ManagerOptions();
        var commandLine = commandLine(options);
        try {
            commandLine.parseArgs(args);
            if (commandLine.isUsageHelpRequested()) {
                commandLine.usage(out, Ansi.OFF);
                return 0;
            }
            if (commandLine.isVersionHelpRequested()) {
                out.println(description.userAgent());
                return 0;
            }
            OptionRules.check(options, commandLine);
        } catch (ParameterException e) {
            err.println(e.getMessage());
            err.println("Run with --help for the flags and what they take.");
            return WRONG_COMMAND_LINE;
        }
        Logging.configure(options.logFormat(), options.effectiveLogLevel());
        return new ManagerProcess(description, options, setup).run();
    }

    /** Starts a manager that does not own the process. */
    EmbeddedManager start(String... args) throws Exception {
        var options = new ManagerOptions();
        var commandLine = commandLine(options);
        try {
            commandLine.parseArgs(args);
            OptionRules.check(options, commandLine);
        } catch (ParameterException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return new ManagerProcess(description, options, setup).embed();
    }

    private CommandLine commandLine(ManagerOptions options) {
        var commandLine = new CommandLine(options)
                .setCommandName(description.fieldManager())
                .setUsageHelpAutoWidth(true)
                .setUsageHelpLongOptionsMaxWidth(32);
        commandLine.registerConverter(Integer.TYPE, ManagerCommand::wholeNumber);
        commandLine.registerConverter(Boolean.TYPE, ManagerCommand::trueOrFalse);
        setup.options().ifPresent(own -> commandLine.addMixin("provider", own));
        commandLine
                .getCommandSpec()
                .usageMessage()
                .sortOptions(false)
                .abbreviateSynopsis(true)
                .description("Cluster API " + description.name() + " provider for OpenShift: the manager process.")
                .footer(
                        "",
                        "Flags are written --flag=value or --flag value. Exit code: 0 after a planned stop, 1 after a"
                                + " failure, 2 when the command line is wrong.");
        return commandLine;
    }

    private static int wholeNumber(String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException ignored) {
            throw new TypeConversionException("takes a whole number, not \"" + value + "\"");
        }
    }

    private static boolean trueOrFalse(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new TypeConversionException("takes true or false, not \"" + value + "\"");
        };
    }
}
