package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A timeout: text in Go's notation ({@code 1m30s}) in the older version, whole seconds in v1beta1. */
final class DurationSeconds implements ValueConversion {

    private static final Pattern WHOLE = Pattern.compile("0|(?:\\d{1,12}(?:\\.\\d{1,9})?(?:ns|us|µs|ms|s|m|h)){1,6}");
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|h)");
    private static final Map<String, BigDecimal> SECONDS = Map.of(
            "ns", new BigDecimal("0.000000001"),
            "us", new BigDecimal("0.000001"),
            "µs", new BigDecimal("0.000001"),
            "ms", new BigDecimal("0.001"),
            "s", BigDecimal.ONE,
            "m", BigDecimal.valueOf(60),
            "h", BigDecimal.valueOf(3600));

    /** Fractions of a second are dropped, as the Go provider does. */
    @Override
    public @Nullable JsonNode toHub(JsonNode older) {
        if (!older.isTextual() || !WHOLE.matcher(older.textValue()).matches()) {
            return null;
        }
        BigDecimal total = BigDecimal.ZERO;
        Matcher part = PART.matcher(older.textValue());
        while (part.find()) {
            total = total.add(
                    new BigDecimal(part.group(1)).multiply(SECONDS.getOrDefault(part.group(2), BigDecimal.ONE)));
        }
        BigDecimal seconds = total.setScale(0, RoundingMode.DOWN);
        return seconds.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0
                ? null
                : IntNode.valueOf(seconds.intValue());
    }

    /** As Go prints a duration: {@code 0s}, {@code 10s}, {@code 1m30s}, {@code 1h0m0s}. */
    @Override
    public @Nullable JsonNode toOlder(JsonNode hub) {
        if (!hub.isInt() || hub.intValue() < 0) {
            return null;
        }
        int seconds = hub.intValue();
        String hours = seconds >= 3600 ? seconds / 3600 + "h" : "";
        String minutes = seconds >= 60 ? seconds / 60 % 60 + "m" : "";
        return TextNode.valueOf(hours + minutes + seconds % 60 + "s");
    }
}
