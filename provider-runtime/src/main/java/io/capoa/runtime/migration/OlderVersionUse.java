package io.capoa.runtime.migration;

import io.capoa.runtime.client.ObjectName;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which clients have written objects of one CRD in another version than the storage version, by their managed fields. */
final class OlderVersionUse {

    /** Clients that are named; anyone who may write an object can add some. */
    private static final int MOST = 10;

    private final MigrationPlan plan;
    private final SortedSet<String> clients = new TreeSet<>();
    private int objects;
    private int written;

    OlderVersionUse(MigrationPlan plan) {
        this.plan = plan;
    }

    /** Takes an object into account. */
    void add(ObjectMeta metadata) {
        objects++;
        boolean older = false;
        for (ManagedFieldsEntry entry : metadata.getManagedFields()) {
            String version = String.valueOf(entry.getApiVersion()).replaceFirst(".*/", "");
            if (!version.equals(plan.storage())) {
                older = true;
                if (clients.size() < MOST) {
                    clients.add(ObjectName.quoted(entry.getManager()) + " in " + ObjectName.quoted(version));
                }
            }
        }
        written += older ? 1 : 0;
    }

    /** A sentence for the log. */
    String summary() {
        String found = written == 0
                ? "none of %d objects has fields that a client wrote in another API version than %s"
                        .formatted(objects, plan.storage())
                : "%d of %d objects have fields that clients wrote in another API version than %s: %s"
                        .formatted(written, objects, plan.storage(), String.join(", ", clients));
        return plan.served().size() == 1
                ? found + "; no other one is served"
                : found + "; docs/older-versions.md says what it costs to serve others, and how to end it";
    }
}
