package io.capoa.runtime.logging;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Log level. */
public enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE,
    /** No word was given: the number counts. */
    BY_VERBOSITY;

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

    /** Reads the flag's value. */
    public static final class Converter implements ITypeConverter<LogLevel> {
        @Override
        public LogLevel convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "error" -> ERROR;
                case "warn", "warning" -> WARN;
                case "info" -> INFO;
                case "debug" -> DEBUG;
                case "trace" -> TRACE;
                default ->
                    throw new TypeConversionException("takes error, warn, info, debug or trace, not \"" + value + "\"");
            };
        }
    }
}
