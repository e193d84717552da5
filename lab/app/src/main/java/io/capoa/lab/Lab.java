package io.capoa.lab;

import io.capoa.lab.command.Conformance;
import io.capoa.lab.command.Dashboard;
import io.capoa.lab.command.ExitCode;
import io.capoa.lab.command.Reload;
import io.capoa.lab.command.Up;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine;

/** Main class of the lab. */
public final class Lab {

    private Lab() {}

    public static void main(String... args) {
        String first = args.length == 0 ? "" : args[0];
        Optional<CommandLine> other = Optional.ofNullable(
                switch (first) {
                    case "reload" -> new CommandLine(new Reload()).setCommandName("lab/reload");
                    case "dashboard" -> Dashboard.commandLine();
                    case "conformance" -> new CommandLine(new Conformance());
                    default -> null;
                });
        System.exit(other.orElseGet(Up::commandLine)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(ExitCode::wrong)
                .setExecutionExceptionHandler(ExitCode::explain)
                .execute(other.isPresent() ? Arrays.copyOfRange(args, 1, args.length) : args));
    }
}
