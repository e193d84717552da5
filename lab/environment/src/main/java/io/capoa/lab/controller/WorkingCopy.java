package io.capoa.lab.controller;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A modifiable copy of a cached object. {@link #write} sends only the differences, with an optimistic lock, so that a
 * decision based on a stale object ends in a conflict.
 */
public final class WorkingCopy<R extends GenericKubernetesResource> {

    private static final String[] DEPRECATED_CONDITIONS = {"status", "deprecated", "v1beta1", "conditions"};

    private final R read;
    private final Map<String, Object> before;
    private final Map<String, Object> after;

    public WorkingCopy(R read) {
        this.read = read;
        this.before = tree(read);
        this.after = copy(before);
    }

    /** The object as it was read. */
    public R read() {
        return read;
    }

    /** The value at a path of map keys in the copy, or {@code null}. */
    public @Nullable Object get(String... path) {
        @Nullable Object at = after;
        for (String key : path) {
            at = at instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return at;
    }

    public boolean isTrue(String... path) {
        return Boolean.TRUE.equals(get(path));
    }

    /** Sets the value at a path below {@code metadata}, {@code spec} or {@code status}; {@code null} removes it. */
    @SuppressWarnings("unchecked")
    public WorkingCopy<R> set(@Nullable Object value, String... path) {
        Map<String, Object> at = after;
        for (int i = 0; i < path.length - 1; i++) {
            Object next = at.get(path[i]);
            if (!(next instanceof Map<?, ?>)) {
                if (value == null) {
                    return this;
                }
                next = new LinkedHashMap<String, Object>();
                at.put(path[i], next);
            }
            at = (Map<String, Object>) next;
        }
        String last = path[path.length - 1];
        if (value == null) {
            at.remove(last);
        } else {
            at.put(last, value);
        }
        return this;
    }

    public WorkingCopy<R> label(String key, String value) {
        return set(value, "metadata", "labels", key);
    }

    public WorkingCopy<R> finalizer(String finalizer) {
        List<Object> all = list("metadata", "finalizers");
        if (!all.contains(finalizer)) {
            all.add(finalizer);
            set(all, "metadata", "finalizers");
        }
        return this;
    }

    public WorkingCopy<R> withoutFinalizer(String finalizer) {
        List<Object> all = list("metadata", "finalizers");
        all.remove(finalizer);
        return set(all, "metadata", "finalizers");
    }

    /** Sets the reference, replacing another one to the same owner. */
    public WorkingCopy<R> owner(OwnerReference owner) {
        List<Object> all = list("metadata", "ownerReferences");
        Map<String, Object> wanted = tree(owner);
        if (!all.contains(wanted)) {
            all.removeIf(o -> o instanceof Map<?, ?> m && owner.getUid().equals(m.get("uid")));
            all.add(wanted);
            set(all, "metadata", "ownerReferences");
        }
        return this;
    }

    /** Removes matching owner references, given as maps of their fields. */
    public WorkingCopy<R> withoutOwners(Predicate<Map<?, ?>> matching) {
        List<Object> all = list("metadata", "ownerReferences");
        if (all.removeIf(o -> o instanceof Map<?, ?> m && matching.test(m))) {
            set(all, "metadata", "ownerReferences");
        }
        return this;
    }

    /**
     * Sets a condition of contract v1beta1, which Cluster API keeps beside the others and CAPM3 goes by; one that has this
     * status is left as it is.
     *
     * @param reason of a condition that is not True, which is then a warning or, if it only waits, an information
     */
    public WorkingCopy<R> deprecatedCondition(String type, String status, String severity, String reason) {
        List<Object> all = list(DEPRECATED_CONDITIONS);
        if (all.stream()
                .noneMatch(c -> c instanceof Map<?, ?> had
                        && type.equals(had.get("type"))
                        && status.equals(had.get("status")))) {
            Map<String, Object> wanted = new LinkedHashMap<>();
            wanted.put("type", type);
            wanted.put("status", status);
            if (!status.equals("True")) {
                wanted.put("severity", severity);
                wanted.put("reason", reason);
            }
            wanted.put(
                    "lastTransitionTime",
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
            all.removeIf(c -> c instanceof Map<?, ?> had && type.equals(had.get("type")));
            all.add(wanted);
            set(all, DEPRECATED_CONDITIONS);
        }
        return this;
    }

    /** Sets a condition of the status; its transition time changes only with the status. */
    public WorkingCopy<R> condition(String type, String status, String reason, String message) {
        List<Object> all = list("status", "conditions");
        int at = 0;
        while (at < all.size() && !(all.get(at) instanceof Map<?, ?> m && type.equals(m.get("type")))) {
            at++;
        }
        Map<?, ?> had = at < all.size() ? (Map<?, ?>) all.get(at) : Map.of();
        Map<String, Object> wanted = new LinkedHashMap<>();
        wanted.put("type", type);
        wanted.put("status", status);
        wanted.put("reason", reason);
        wanted.put("message", message);
        Object since = status.equals(had.get("status")) ? had.get("lastTransitionTime") : null;
        wanted.put(
                "lastTransitionTime",
                since != null
                        ? since
                        : Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        if (sameButGeneration(had, wanted)) {
            return this;
        }
        if (at < all.size()) {
            all.set(at, wanted);
        } else {
            all.add(wanted);
        }
        return set(all, "status", "conditions");
    }

    /** Removes a condition of the status. */
    public WorkingCopy<R> withoutCondition(String type) {
        List<Object> all = list("status", "conditions");
        if (all.removeIf(c -> c instanceof Map<?, ?> m && type.equals(m.get("type")))) {
            set(all, "status", "conditions");
        }
        return this;
    }

    private static boolean sameButGeneration(Map<?, ?> had, Map<String, Object> wanted) {
        return wanted.entrySet().stream().allMatch(e -> {
            Object value = had.get(e.getKey());
            return e.getValue().equals(value == null ? "" : value);
        });
    }

    /** Status of a condition in the copy, {@code Unknown} if absent. */
    public String conditionStatus(String type) {
        String status = conditionField(type, "status");
        return status.isEmpty() ? "Unknown" : status;
    }

    /** Reason of a condition in the copy, or empty. */
    public String conditionReason(String type) {
        return conditionField(type, "reason");
    }

    /** Message of a condition in the copy, or empty. */
    public String conditionMessage(String type) {
        return conditionField(type, "message");
    }

    /** Transition time of a condition in the copy; long ago if absent. */
    public Instant conditionSince(String type) {
        String since = conditionField(type, "lastTransitionTime");
        return since.isEmpty() ? Instant.EPOCH : Instant.parse(since);
    }

    private String conditionField(String type, String field) {
        for (Object entry : list("status", "conditions")) {
            if (entry instanceof Map<?, ?> m && type.equals(m.get("type")) && m.get(field) instanceof String s) {
                return s;
            }
        }
        return "";
    }

    /** Merge patch of the differences outside the status, with resourceVersion; empty if there are none. */
    public Map<String, Object> change() {
        Map<String, Object> patch = new LinkedHashMap<>(MergePatch.between(before, after));
        patch.remove("status");
        return patch.isEmpty() ? patch : withVersion(patch);
    }

    /** Merge patch of the differences in the status; empty if there are none. */
    public Map<String, Object> statusChange() {
        return MergePatch.between(map(before.get("status")), map(after.get("status")));
    }

    /** Writes metadata and spec, then status, each only where it differs. */
    public R write(Writes writes) {
        R latest = read;
        Map<String, Object> change = change();
        if (!change.isEmpty()) {
            latest = writes.patch(read, change);
        }
        Map<String, Object> status = statusChange();
        if (!status.isEmpty()) {
            latest = writes.patchStatus(read, status, latest.getMetadata().getResourceVersion());
        }
        return latest;
    }

    private Map<String, Object> withVersion(Map<String, Object> patch) {
        Map<String, Object> metadata = new LinkedHashMap<>(map(patch.get("metadata")));
        metadata.put("resourceVersion", read.getMetadata().getResourceVersion());
        patch.put("metadata", metadata);
        return patch;
    }

    private List<Object> list(String... path) {
        return get(path) instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>();
    }

    private static Map<String, Object> tree(GenericKubernetesResource resource) {
        var meta = resource.getMetadata();
        Map<String, Object> metadata = new LinkedHashMap<>();
        if (meta.getLabels() != null) {
            metadata.put("labels", new TreeMap<>(meta.getLabels()));
        }
        if (meta.getAnnotations() != null) {
            metadata.put("annotations", new TreeMap<>(meta.getAnnotations()));
        }
        metadata.put("finalizers", new ArrayList<>(meta.getFinalizers()));
        metadata.put(
                "ownerReferences",
                meta.getOwnerReferences().stream().map(WorkingCopy::tree).toList());
        Map<String, Object> tree = copy(resource.getAdditionalProperties());
        tree.put("metadata", metadata);
        return tree;
    }

    private static Map<String, Object> tree(OwnerReference owner) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", owner.getApiVersion());
        tree.put("kind", owner.getKind());
        tree.put("name", owner.getName());
        tree.put("uid", owner.getUid());
        if (owner.getController() != null) {
            tree.put("controller", owner.getController());
        }
        if (owner.getBlockOwnerDeletion() != null) {
            tree.put("blockOwnerDeletion", owner.getBlockOwnerDeletion());
        }
        return tree;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    private static Map<String, Object> copy(Map<String, ?> source) {
        Map<String, Object> copy = new LinkedHashMap<>();
        source.forEach((key, value) -> copy.put(key, value instanceof Map<?, ?> inner ? copy(map(inner)) : value));
        return copy;
    }
}
