package io.capoa.runtime.options;

import java.lang.reflect.Field;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/**
 * Flags that managers of Cluster API take, so that the Cluster API operator writes them or users are used to them, for what
 * this process does not have. They are taken, with a warning.
 */
public final class OptionsWithoutEffect {

    @Option(names = "--profiler-address", hidden = true)
    String profilerAddress = "";

    @Option(names = "--contention-profiling", hidden = true, arity = "0..1", fallbackValue = "true")
    String contentionProfiling = "";

    @Option(names = "--kube-api-qps", hidden = true)
    String requestsPerSecond = "";

    @Option(names = "--kube-api-burst", hidden = true)
    String requestsAtOnce = "";

    @Option(names = "--leader-election-id", hidden = true)
    String lease = "";

    @Option(names = "--tls-min-version", hidden = true)
    String oldestTls = "";

    @Option(names = "--tls-cipher-suites", hidden = true)
    String cipherSuites = "";

    /** The names of those that a command line has. */
    public static List<String> in(ParseResult commandLine) {
        return commandLine.matchedOptions().stream()
                .filter(option -> option.userObject() instanceof Field field
                        && field.getDeclaringClass() == OptionsWithoutEffect.class)
                .map(option -> option.longestName())
                .toList();
    }
}
