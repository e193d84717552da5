package io.capoa.lab.workload;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** A write with an outdated resourceVersion. */
    static final class Conflict extends Exception {
        private static final long serialVersionUID = 1L;

        Conflict(String message) {
            super(message);
        }
    }

    private final Map<String, SortedMap<String, Map<String, Object>>> objects = new TreeMap<>();
    private final List<Event> events = new ArrayList<>();
    private long version = 1;
    private boolean closed;

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
            metadata.put(kept, java.util.Objects.requireNonNull(before.get(kept)));
        }
        return object.equals(stored) ? stored : put(resource, "MODIFIED", object);
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

    /** Waits for changes after a version; {@code null} if they are no longer kept, empty after the timeout. */
    synchronized @Nullable List<Event> after(long since, String resource, long waitMillis) throws InterruptedException {
        long end = System.nanoTime() + waitMillis * 1_000_000;
        while (true) {
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

    /** Ends every wait at once. */
    synchronized void close() {
        closed = true;
        notifyAll();
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
