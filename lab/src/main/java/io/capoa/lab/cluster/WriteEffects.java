package io.capoa.lab.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells from an audit log that keeps objects which writes changed nothing: the server answers them with the version
 * that the object had before. Only as good as the log is complete: read it from the beginning.
 */
public final class WriteEffects {

    private WriteEffects() {}

    /** Writes that succeeded and left the object as it was, in the order of the log. */
    public static List<AuditEntry> without(List<AuditEntry> log) {
        Map<String, String> versions = new HashMap<>();
        List<AuditEntry> without = new ArrayList<>();
        for (AuditEntry entry : log) {
            String version = entry.resourceVersion();
            if (!entry.isWrite() || !entry.succeeded() || version.isEmpty()) {
                continue;
            }
            String object = String.join(
                    "/",
                    entry.apiGroup(),
                    entry.resource(),
                    entry.namespace(),
                    entry.object().path("metadata").path("uid").asText());
            String before = versions.put(object, version);
            if (version.equals(before)) {
                without.add(entry);
            }
        }
        return without;
    }
}
