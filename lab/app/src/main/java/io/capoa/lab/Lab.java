package io.capoa.lab;

import io.capoa.lab.command.ExitCode;
import io.capoa.lab.command.Reload;
import io.capoa.lab.command.Up;
import java.util.Arrays;
import picocli.CommandLine;

/** Main class of the lab. */
public final class Lab {

    private Lab() {}

    public static void main(String... args) {
        boolean reload = args.length > 0 && args[0].equals("reload");
        CommandLine command = reload ? new CommandLine(new Reload()) : Up.commandLine();
        System.exit(command.setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler(ExitCode::explain)
                .execute(reload ? Arrays.copyOfRange(args, 1, args.length) : args));
    }
}
