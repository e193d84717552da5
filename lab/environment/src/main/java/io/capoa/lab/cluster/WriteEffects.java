package io.capoa.lab.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds writes without effect in an audit log with response objects: the response has the previous resourceVersion.
 * Needs the log from its beginning.
 */
public final class WriteEffects {

    private WriteEffects() {}

    /** Successful writes that changed nothing, in the order of the log. */
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
