package io.capoa.runtime.options;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks values that the flags' types allow. */
public final class OptionRules {

    private OptionRules() {}

    /**
     * Checks the values of all flags.
     *
     * @throws ParameterException with a message that names the flag and says what it takes
     */
    public static void check(ManagerOptions options, CommandLine commandLine) {
        require(
                options.maxConcurrentReconciles > 0,
                commandLine,
                "--max-concurrent-reconciles takes a number from 1 on, not " + options.maxConcurrentReconciles);
        require(
                options.webhookPort >= 0 && options.webhookPort <= 65535,
                commandLine,
                "--webhook-port takes a port from 0 to 65535, not " + options.webhookPort);
        require(options.verbosity >= 0, commandLine, "--v takes a number from 0 on, not " + options.verbosity);
        require(
                options.renewDeadline.compareTo(options.leaseDuration) < 0,
                commandLine,
                "--leader-elect-renew-deadline must be shorter than --leader-elect-lease-duration");
        require(
                options.retryPeriod.compareTo(options.renewDeadline) < 0,
                commandLine,
                "--leader-elect-retry-period must be shorter than --leader-elect-renew-deadline");
    }

    private static void require(boolean holds, CommandLine commandLine, String sentence) {
        if (!holds) {
            throw new ParameterException(commandLine, sentence);
        }
    }
}
