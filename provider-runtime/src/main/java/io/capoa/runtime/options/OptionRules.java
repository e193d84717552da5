package io.capoa.runtime.options;

import io.capoa.api.schema.Patterns;
import io.capoa.runtime.client.ObjectName;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks values that the flags' types allow. */
public final class OptionRules {

    private static final int LONGEST_LABEL_VALUE = 63;

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
        require(
                options.verbosity == null || options.verbosity >= 0,
                commandLine,
                "--v takes a number from 0 on, not " + options.verbosity);
        require(
                options.renewDeadline.compareTo(options.leaseDuration) < 0,
                commandLine,
                "--leader-elect-renew-deadline must be shorter than --leader-elect-lease-duration");
        require(
                options.retryPeriod.compareTo(options.renewDeadline) < 0,
                commandLine,
                "--leader-elect-retry-period must be shorter than --leader-elect-renew-deadline");
        WatchScope scope = options.scope();
        scope.namespaces().forEach(name -> requireNamespace(name, commandLine, "--namespace"));
        if (!options.leaderElectNamespace.isEmpty()) {
            requireNamespace(options.leaderElectNamespace, commandLine, "--leader-elect-namespace");
        }
        scope.watchFilter()
                .ifPresent(value -> require(
                        isLabelValue(value),
                        commandLine,
                        "--watch-filter takes the value of a label, which %s is not"
                                .formatted(ObjectName.quoted(value))));
    }

    private static void requireNamespace(String name, CommandLine commandLine, String flag) {
        require(
                ObjectName.isNamespace(name),
                commandLine,
                "%s takes names of namespaces, which %s is not: at most 63 lower-case letters, digits and -"
                        .formatted(flag, ObjectName.quoted(name)));
    }

    private static boolean isLabelValue(String value) {
        return value.length() <= LONGEST_LABEL_VALUE && value.matches(Patterns.LABEL_VALUE);
    }

    private static void require(boolean holds, CommandLine commandLine, String sentence) {
        if (!holds) {
            throw new ParameterException(commandLine, sentence);
        }
    }
}
