package io.capoa.runtime.events;

import java.nio.charset.StandardCharsets;

/**
 * A Kubernetes Event to record about an object.
 *
 * @param warning whether it went wrong; else it is good news
 * @param reason CamelCase word for programs
 * @param note sentence for people; what exceeds {@value #LONGEST_NOTE} bytes of UTF-8 is cut off
 */
public record RecordedEvent(boolean warning, String reason, String note) {

    /** What the API server takes, in bytes; it calls them characters. */
    static final int LONGEST_NOTE = 1024;

    private static final String CUT = "…";

    /** The note, cut to {@link #LONGEST_NOTE} bytes between two characters. */
    String shortNote() {
        if (bytes(note) <= LONGEST_NOTE) {
            return note;
        }
        int left = LONGEST_NOTE - bytes(CUT);
        int end = 0;
        while (left >= 0) {
            int character = note.codePointAt(end);
            left -= bytes(Character.toString(character));
            end += left < 0 ? 0 : Character.charCount(character);
        }
        return note.substring(0, end) + CUT;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    public static RecordedEvent warning(String reason, String note) {
        return new RecordedEvent(true, reason, note);
    }

    public static RecordedEvent good(String reason, String note) {
        return new RecordedEvent(false, reason, note);
    }
}
