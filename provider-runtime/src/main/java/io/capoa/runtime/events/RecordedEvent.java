package io.capoa.runtime.events;

/**
 * A Kubernetes Event to record about an object.
 *
 * @param warning whether it went wrong; else it is good news
 * @param reason CamelCase word for programs
 * @param note sentence for people; what exceeds {@value #LONGEST_NOTE} characters is cut off
 */
public record RecordedEvent(boolean warning, String reason, String note) {

    /** What the API server takes. */
    static final int LONGEST_NOTE = 1024;

    public static RecordedEvent warning(String reason, String note) {
        return new RecordedEvent(true, reason, note);
    }

    public static RecordedEvent good(String reason, String note) {
        return new RecordedEvent(false, reason, note);
    }
}
