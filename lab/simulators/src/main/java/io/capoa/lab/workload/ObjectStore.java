package io.capoa.lab.workload;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The objects of one cluster with their versions, and a history of changes for watches. */
final class ObjectStore {

    /** Number of events kept; watches from an earlier version have to list again. */
    private static final int HISTORY = 1000;

    /** One change. */
    record Event(long version, String resource, String type, Map<String, Object> object) {}

    /** The objects, and the version to start a watch from. */
    record Listing(long version, List<Map<String, Object>> items) {}

    /** A change of a stored object. */
    @FunctionalInterface
    interface Change {
        /** The new object; {@code stored} is a copy that may be modified. */
        Map<String, Object> apply(Map<String, Object> stored) throws Rejected;
    }

    /** A write that the API server rejects. */
    static class Rejected extends Exception {
        private static final long serialVersionUID = 1L;

        private final int code;
        private final String reason;

        Rejected(int code, String reason, String message) {
            super(message);
            this.code = code;
            this.reason = reason;
        }

        int code() {
            return code;
        }

        String reason() {
            return reason;
        }
    }

    /** A write with an outdated resourceVersion. */
    static final class Conflict extends Rejected {
        private static final long serialVersionUID = 1L;

        Conflict(String message) {
            super(409, "Conflict", message);
        }
    }

    private final Map<String, SortedMap<String, Map<String, Object>>> objects = new TreeMap<>();
    private final List<Event> events = new ArrayList<>();
    private long version = 1;
    private boolean closed;
    private int disconnects;

    synchronized Listing list(String resource) {
        return new Listing(version, List.copyOf(of(resource).values()));
    }

    synchronized @Nullable Map<String, Object> get(String resource, String name) {
        return of(resource).get(name);
    }

    /** Stores a new object; {@code null} if the name exists. */
    synchronized @Nullable Map<String, Object> create(String resource, Map<String, Object> object) {
        String name = name(object);
        if (of(resource).containsKey(name)) {
            return null;
        }
        Map<String, Object> metadata = metadata(object);
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put(
                "creationTimestamp",
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return put(resource, "ADDED", object);
    }

    /** Replaces an object; {@code null} if it does not exist, the stored one if nothing changes. */
    synchronized @Nullable Map<String, Object> replace(String resource, Map<String, Object> object) throws Conflict {
        Map<String, Object> stored = of(resource).get(name(object));
        if (stored == null) {
            return null;
        }
        Map<String, Object> metadata = metadata(object);
        Map<String, Object> before = metadata(stored);
        Object expected = metadata.get("resourceVersion");
        if (expected != null && !expected.equals(before.get("resourceVersion"))) {
            throw new Conflict("the object has been modified; please apply your changes to the latest version");
        }
        for (String kept : List.of("uid", "creationTimestamp", "resourceVersion")) {
            metadata.put(kept, Objects.requireNonNull(before.get(kept)));
        }
        if (before.get("generation") instanceof Integer generation) {
            boolean sameSpec = Objects.equals(object.get("spec"), stored.get("spec"));
            metadata.put("generation", sameSpec ? generation : generation + 1);
        }
        return object.equals(stored) ? stored : put(resource, "MODIFIED", object);
    }

    /** Changes an object in one step; {@code null} if it does not exist. */
    synchronized @Nullable Map<String, Object> change(String resource, String name, Change change) throws Rejected {
        Map<String, Object> stored = of(resource).get(name);
        return stored == null ? null : replace(resource, change.apply(Json.copy(stored)));
    }

    /**
     * Deletes an object, or sets its deletion timestamp if it has finalizers; {@code null} if it does not exist.
     *
     * @param preconditions required UID and resourceVersion, if given
     */
    synchronized @Nullable Map<String, Object> delete(String resource, String name, Map<String, String> preconditions)
            throws Conflict {
        Map<String, Object> stored = of(resource).get(name);
        if (stored == null) {
            return null;
        }
        for (String field : List.of("uid", "resourceVersion")) {
            String wanted = preconditions.get(field);
            Object actual = metadata(stored).get(field);
            if (wanted != null && !wanted.equals(actual)) {
                throw new Conflict("Precondition failed: %s in precondition: %s, %s in object meta: %s"
                        .formatted(field, wanted, field, actual));
            }
        }
        if (!(metadata(stored).get("finalizers") instanceof List<?> finalizers) || finalizers.isEmpty()) {
            return remove(resource, name);
        }
        Map<String, Object> marked = Json.copy(stored);
        metadata(marked)
                .putIfAbsent(
                        "deletionTimestamp",
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return put(resource, "MODIFIED", marked);
    }

    synchronized @Nullable Map<String, Object> remove(String resource, String name) {
        Map<String, Object> gone = of(resource).remove(name);
        if (gone != null) {
            Map<String, Object> last = Json.copy(gone);
            version++;
            metadata(last).put("resourceVersion", Long.toString(version));
            publish(new Event(version, resource, "DELETED", last));
        }
        return gone;
    }

    /**
     * Waits for changes after a version; {@code null} if they are no longer kept, empty after the timeout. Throws
     * {@link IOException} if {@link #disconnect} was called meanwhile.
     */
    synchronized @Nullable List<Event> after(long since, String resource, long waitMillis)
            throws InterruptedException, IOException {
        long end = System.nanoTime() + waitMillis * 1_000_000;
        int connected = disconnects;
        while (true) {
            if (connected != disconnects) {
                throw new IOException("the API server restarts");
            }
            if (!events.isEmpty() && since + 1 < events.getFirst().version()) {
                return null;
            }
            List<Event> found = events.stream()
                    .filter(e -> e.version() > since && e.resource().equals(resource))
                    .toList();
            long left = (end - System.nanoTime()) / 1_000_000;
            if (!found.isEmpty() || left <= 0 || closed) {
                return found;
            }
            wait(left);
        }
    }

    /** Breaks the connection of every watch that waits. */
    synchronized void disconnect() {
        disconnects++;
        notifyAll();
    }

    /** Ends every wait at once. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    private Map<String, Object> put(String resource, String type, Map<String, Object> object) {
        version++;
        metadata(object).put("resourceVersion", Long.toString(version));
        of(resource).put(name(object), object);
        publish(new Event(version, resource, type, object));
        return object;
    }

    private void publish(Event event) {
        events.add(event);
        if (events.size() > HISTORY) {
            events.removeFirst();
        }
        notifyAll();
    }

    private SortedMap<String, Map<String, Object>> of(String resource) {
        return objects.computeIfAbsent(resource, r -> new TreeMap<>());
    }

    static String name(Map<String, Object> object) {
        return String.valueOf(metadata(object).get("name"));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> metadata(Map<String, Object> object) {
        return (Map<String, Object>) object.computeIfAbsent("metadata", k -> new LinkedHashMap<String, Object>());
    }
}
