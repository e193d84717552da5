package io.capoa.lab.command;

import io.capoa.lab.controller.Delays;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code --delay}: {@code infrastructure=2s,registry=50ms}. */
final class DelayOption {

    private static final Pattern ENTRY = Pattern.compile("([a-z]+)=(\\d+)(ms|s|m)");

    private DelayOption() {}

    /** Names of the steps that can be delayed, for messages. */
    static String words() {
        return Arrays.stream(Delays.Of.values()).map(Delays.Of::word).collect(Collectors.joining(", "));
    }

    /**
     * Sets the delays in the text.
     *
     * @throws TypeConversionException if the text is invalid; the message names the valid steps
     */
    static void set(Delays delays, String text) {
        for (String entry : text.split(",", -1)) {
            Matcher matcher = ENTRY.matcher(entry.strip());
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "--delay takes STEP=TIME such as infrastructure=2s or registry=50ms, not \"%s\""
                                .formatted(entry));
            }
            delays.set(step(matcher.group(1)), duration(matcher.group(2), matcher.group(3)));
        }
    }

    private static Delays.Of step(String word) {
        return Arrays.stream(Delays.Of.values())
                .filter(of -> of.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "--delay has no step \"%s\"; the steps are %s".formatted(word, words())));
    }

    private static Duration duration(String amount, String unit) {
        long number = Long.parseLong(amount);
        return switch (unit) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }
}
