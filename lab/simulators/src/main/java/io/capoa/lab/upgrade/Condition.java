package io.capoa.lab.upgrade;

/**
 * A condition without its transition time.
 *
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason may be empty
 */
public record Condition(String type, String status, String reason, String message) {

    public static Condition yes(String type, String reason, String message) {
        return new Condition(type, "True", reason, message);
    }

    public static Condition no(String type, String reason, String message) {
        return new Condition(type, "False", reason, message);
    }

    public static Condition unknown(String type, String reason, String message) {
        return new Condition(type, "Unknown", reason, message);
    }

    public boolean isTrue() {
        return status.equals("True");
    }

    public boolean isFalse() {
        return status.equals("False");
    }
}
