package io.capoa.lint.manifest;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The objects of all files together. */
public final class Manifests {

    private final List<ManifestObject> objects;
    private final List<Finding> unreadable;
    /** Kind, namespace and name of each. */
    private final Set<List<String>> keys;

    /** @param unreadable what could not be read */
    Manifests(List<ManifestObject> objects, List<Finding> unreadable) {
        this.objects = List.copyOf(objects);
        this.unreadable = List.copyOf(unreadable);
        this.keys = objects.stream()
                .map(object -> List.of(object.kind(), object.namespace(), object.name()))
                .collect(Collectors.toUnmodifiableSet());
    }

    public List<ManifestObject> objects() {
        return objects;
    }

    /** What could not be read. */
    public List<Finding> unreadable() {
        return unreadable;
    }

    /** Whether an object is among the manifests. */
    public boolean has(String kind, String namespace, String name) {
        return keys.contains(List.of(kind, namespace, name));
    }

    /** The objects of a kind. */
    public Stream<ManifestObject> ofKind(String kind) {
        return objects.stream().filter(object -> object.kind().equals(kind));
    }
}
