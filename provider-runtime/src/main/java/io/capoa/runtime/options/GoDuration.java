package io.capoa.runtime.options;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a positive duration in Go's notation: {@code 90s}, {@code 1m30s}, {@code 250ms}, {@code 10h}. */
final class GoDuration implements ITypeConverter<Duration> {

    private static final Pattern WHOLE = Pattern.compile("(?:\\d{1,9}(?:ms|s|m|h))+");
    private static final Pattern PART = Pattern.compile("(\\d+)(ms|s|m|h)");

    @Override
    public Duration convert(String value) {
        var total = Duration.ZERO;
        if (WHOLE.matcher(value).matches()) {
            for (var part = PART.matcher(value); part.find(); ) {
                long amount = Long.parseLong(part.group(1));
                total = total.plus(
                        switch (part.group(2)) {
                            case "ms" -> Duration.ofMillis(amount);
                            case "s" -> Duration.ofSeconds(amount);
                            case "m" -> Duration.ofMinutes(amount);
                            default -> Duration.ofHours(amount);
                        });
            }
        }
        if (total.isZero()) {
            throw new TypeConversionException(
                    "takes a positive duration such as 90s, 1m30s or 250ms, not \"" + value + "\"");
        }
        return total;
    }
}
