package io.capoa.lab;

import io.capoa.lab.command.Dashboard;
import io.capoa.lab.command.ExitCode;
import io.capoa.lab.command.Reload;
import io.capoa.lab.command.Up;
import java.util.Arrays;
import picocli.CommandLine;

/** Main class of the lab. */
public final class Lab {

    private Lab() {}

    public static void main(String... args) {
        String first = args.length == 0 ? "" : args[0];
        CommandLine command = switch (first) {
            case "reload" -> new CommandLine(new Reload()).setCommandName("lab/reload");
            case "dashboard" -> Dashboard.commandLine();
            default -> Up.commandLine();
        };
        boolean named = first.equals("reload") || first.equals("dashboard");
        System.exit(command.setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(ExitCode::wrong)
                .setExecutionExceptionHandler(ExitCode::explain)
                .execute(named ? Arrays.copyOfRange(args, 1, args.length) : args));
    }
}
