package io.capoa.lab.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** Response of a watch: one JSON line per event, until the timeout or the end of the connection. */
final class WatchStream {

    private static final long USUAL_SECONDS = 300;
    private static final long LONGEST_WAIT_MILLIS = 30_000;

    private final ObjectStore store;
    private final Resource resource;
    private final Selection selection;
    private final Map<String, String> query;
    /** State at the start of the watch. */
    private final ObjectStore.Listing now;

    /** Creates a watch that starts now. */
    WatchStream(ObjectStore store, Resource resource, Map<String, String> query) {
        this.store = store;
        this.resource = resource;
        this.selection = Selection.of(query);
        this.query = query;
        this.now = store.list(resource.path());
    }

    /** Writes events; ends with {@code expired} if the requested version is no longer available. */
    void run(OutputStream out, Map<String, Object> expired) throws IOException {
        String from = query.getOrDefault("resourceVersion", "");
        boolean initial = "true".equals(query.get("sendInitialEvents"));
        boolean fromNow = from.isEmpty() || from.equals("0");
        long version = fromNow || initial ? now.version() : Long.parseLong(from);
        if (fromNow || initial) {
            for (Map<String, Object> item : now.items()) {
                event(out, "ADDED", item);
            }
        }
        if (initial) {
            bookmark(out, version);
        }
        out.flush();
        follow(out, version, expired);
    }

    private void follow(OutputStream out, long start, Map<String, Object> expired) throws IOException {
        long version = start;
        long seconds = Long.parseLong(query.getOrDefault("timeoutSeconds", Long.toString(USUAL_SECONDS)));
        long end = System.nanoTime() + seconds * 1_000_000_000;
        try {
            while (System.nanoTime() < end) {
                long wait = Math.min(LONGEST_WAIT_MILLIS, (end - System.nanoTime()) / 1_000_000);
                List<ObjectStore.Event> events = store.after(version, resource.path(), wait);
                if (events == null) {
                    write(out, "ERROR", expired);
                    return;
                }
                if (events.isEmpty()
                        && (store.isClosed() || Thread.currentThread().isInterrupted())) {
                    return;
                }
                for (ObjectStore.Event event : events) {
                    event(out, event.type(), event.object());
                    version = event.version();
                }
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends the bookmark that ends the initial events of a streaming list (KEP-3157). */
    private void bookmark(OutputStream out, long version) throws IOException {
        write(
                out,
                "BOOKMARK",
                Map.of(
                        "kind",
                        resource.kind(),
                        "apiVersion",
                        resource.apiVersion(),
                        "metadata",
                        Map.of(
                                "resourceVersion",
                                Long.toString(version),
                                "annotations",
                                Map.of("k8s.io/initial-events-end", "true"))));
    }

    private void event(OutputStream out, String type, Map<String, Object> object) throws IOException {
        if (selection.takes(object)) {
            write(out, type, object);
        }
    }

    private static void write(OutputStream out, String type, Map<String, Object> object) throws IOException {
        out.write(Json.bytes(Map.of("type", type, "object", object)));
        out.write('\n');
    }
}
