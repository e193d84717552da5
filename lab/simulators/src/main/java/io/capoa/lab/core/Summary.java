package io.capoa.lab.core;

import io.capoa.lab.controller.WorkingCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Aggregates conditions: False if any is bad, Unknown if any is unknown, else True. */
final class Summary {

    private final WorkingCopy<?> working;
    private final Set<String> negative;
    private final List<String> bad = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    /** Conditions in {@code negative} are good when they are False. */
    Summary(WorkingCopy<?> working, Set<String> negative) {
        this.working = working;
        this.negative = negative;
    }

    /** Adds a condition. */
    Summary of(String type) {
        String status = working.conditionStatus(type);
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
            working.condition(type, "False", "Not" + type, bullets(bad));
        } else if (!unknown.isEmpty()) {
            working.condition(type, "Unknown", type + "Unknown", bullets(unknown));
        } else {
            working.condition(type, "True", type, "");
        }
    }

    private String bullets(List<String> types) {
        List<String> lines = new ArrayList<>();
        for (String type : types) {
            String message = working.conditionMessage(type);
            lines.add("* " + type + (message.isEmpty() ? "" : ": " + message.replace("\n", "\n  ")));
        }
        return String.join("\n", lines);
    }
}
