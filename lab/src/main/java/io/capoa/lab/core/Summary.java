package io.capoa.lab.core;

import io.capoa.lab.actors.Draft;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Aggregates conditions: False if any is bad, Unknown if any is unknown, else True. */
final class Summary {

    private final Draft<?> draft;
    private final Set<String> negative;
    private final List<String> bad = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    /** Conditions in {@code negative} are good when they are False. */
    Summary(Draft<?> draft, Set<String> negative) {
        this.draft = draft;
        this.negative = negative;
    }

    /** Adds a condition. */
    Summary of(String type) {
        String status = draft.conditionStatus(type);
        String good = negative.contains(type) ? "False" : "True";
        if (status.equals("Unknown")) {
            unknown.add(type);
        } else if (!status.equals(good)) {
            bad.add(type);
        }
        return this;
    }

    /** Writes the summary with reasons {@code X}, {@code NotX} and {@code XUnknown}. */
    void into(String type) {
        if (!bad.isEmpty()) {
            draft.condition(type, "False", "Not" + type, bullets(bad));
        } else if (!unknown.isEmpty()) {
            draft.condition(type, "Unknown", type + "Unknown", bullets(unknown));
        } else {
            draft.condition(type, "True", type, "");
        }
    }

    private String bullets(List<String> types) {
        List<String> lines = new ArrayList<>();
        for (String type : types) {
            String message = draft.conditionMessage(type);
            lines.add("* " + type + (message.isEmpty() ? "" : ": " + message.replace("\n", "\n  ")));
        }
        return String.join("\n", lines);
    }
}
