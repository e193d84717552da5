package io.capoa.lab.recorded;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a recording: a change of an object at a second.
 *
 * @param kind short name of the kind, such as {@code ACI}
 * @param key the field, {@code +} for a creation, the condition's type after {@code cond}
 * @param value new value as JSON; {@code status/reason} of a condition
 * @param message of a condition, truncated by the recorder
 */
public record RecordedLine(double at, String kind, String name, String key, String value, String message) {

    private static final Pattern LINE = Pattern.compile("\\s*([\\d.]+) (\\S+) (\\S+) (.*)");
    private static final Pattern CONDITION =
            Pattern.compile("cond ([^=]+)=([^|]*?)(?: \\| [\"']?(.*?)[\"']?)?", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("([^\\s:]+):? ?(.*)");

    static RecordedLine of(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new IllegalArgumentException("No line of a recording: " + line);
        }
        double at = Double.parseDouble(parts.group(1));
        String what = parts.group(4);
        Matcher condition = CONDITION.matcher(what);
        if (condition.matches()) {
            String message = condition.group(3);
            return new RecordedLine(
                    at,
                    parts.group(2),
                    parts.group(3),
                    "cond " + condition.group(1),
                    condition.group(2).strip(),
                    message == null ? "" : message);
        }
        Matcher field = FIELD.matcher(what);
        if (!field.matches()) {
            throw new IllegalArgumentException("No field: " + line);
        }
        return new RecordedLine(at, parts.group(2), parts.group(3), field.group(1), field.group(2), "");
    }

    boolean isCondition() {
        return key.startsWith("cond ");
    }

    String conditionType() {
        return key.substring("cond ".length());
    }

    String status() {
        return value.substring(0, value.indexOf('/'));
    }

    String reason() {
        return value.substring(value.indexOf('/') + 1);
    }

    String object() {
        return kind + " " + name;
    }
}
