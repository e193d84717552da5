package io.capoa.runtime.logging;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Format of log lines. */
public enum LogFormat {
    JSON,
    TEXT;

    /** Reads the flag's value. */
    public static final class Converter implements ITypeConverter<LogFormat> {
        @Override
        public LogFormat convert(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "json" -> JSON;
                case "text" -> TEXT;
                default -> throw new TypeConversionException("takes json or text, not \"" + value + "\"");
            };
        }
    }
}
