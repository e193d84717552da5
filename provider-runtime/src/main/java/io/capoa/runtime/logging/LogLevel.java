package io.capoa.runtime.logging;

import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Log level. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE;

    /** The level of a klog verbosity, by the numbers that the Go provider uses: 1 warning, 3 info, 6 debug, 9 trace. */
    public static LogLevel ofVerbosity(int verbosity) {
        if (verbosity >= 9) {
            return TRACE;
        }
        if (verbosity >= 6) {
            return DEBUG;
        }
        return verbosity >= 3 ? INFO : WARN;
    }

    /** The level of a word in any case; empty if there is none. */
    public static Optional<LogLevel> of(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "error" -> Optional.of(ERROR);
            case "warn", "warning" -> Optional.of(WARN);
            case "info" -> Optional.of(INFO);
            case "debug" -> Optional.of(DEBUG);
            case "trace" -> Optional.of(TRACE);
            default -> Optional.empty();
        };
    }

    /** Reads the flag's value. */
    public static final class Converter implements ITypeConverter<LogLevel> {
        @Override
        public LogLevel convert(String value) {
            return of(value)
                    .orElseThrow(() -> new TypeConversionException(
                            "takes error, warn, info, debug or trace, not \"" + value + "\""));
        }
    }
}
