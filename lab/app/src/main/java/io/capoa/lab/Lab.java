package io.capoa.lab;

import io.capoa.lab.command.Up;
import picocli.CommandLine;

/** Main class of the lab. */
public final class Lab {

    private Lab() {}

    public static void main(String... args) {
        System.exit(new CommandLine(new Up())
                .setCommandName("lab/up")
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler(Up::explain)
                .execute(args));
    }
}
