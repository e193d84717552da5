package io.capoa.runtime.manager;

import io.capoa.runtime.logging.Logging;
import io.capoa.runtime.options.ManagerOptions;
import io.capoa.runtime.options.OptionRules;
import io.capoa.runtime.options.OptionsWithoutEffect;
import java.io.PrintStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The command line of a manager: parses it, prints its help, and runs the process. */
final class ManagerCommand {

    static final int WRONG_COMMAND_LINE = 2;

    private static final Logger LOG = LoggerFactory.getLogger(ManagerCommand.class);

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
        OptionsWithoutEffect.in(commandLine.getParseResult())
                .forEach(name -> LOG.warn("{} has no effect in this manager: remove it", name));
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
        var commandLine = commandLine(description, options);
        setup.options().ifPresent(own -> commandLine.addMixin("provider", own));
        return commandLine;
    }

    /** Without the flags of a provider's own. */
    static CommandLine commandLine(ManagerDescription description, ManagerOptions options) {
        var commandLine = new CommandLine(options)
                .setCommandName(description.fieldManager())
                // As in Go: tools append theirs to those of a Deployment.
                .setOverwrittenOptionsAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setUsageHelpLongOptionsMaxWidth(32);
        commandLine.registerConverter(Integer.TYPE, ManagerCommand::wholeNumber);
        commandLine.registerConverter(Boolean.TYPE, ManagerCommand::trueOrFalse);
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
