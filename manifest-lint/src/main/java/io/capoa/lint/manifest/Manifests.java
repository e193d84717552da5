package io.capoa.lint.manifest;

import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The objects of all files together. */
public final class Manifests {

    private record Key(String kind, String namespace, String name) {}

    private final List<ManifestObject> objects;
    private final List<Finding> unreadable;
    private final Set<Key> keys;
    /** Secrets that a CredentialsRequest asks for. */
    private final Set<Key> requested;

    /** @param unreadable what could not be read */
    Manifests(List<ManifestObject> objects, List<Finding> unreadable) {
        this.objects = List.copyOf(objects);
        this.unreadable = List.copyOf(unreadable);
        this.keys = objects.stream()
                .map(object -> new Key(object.kind(), object.namespace(), object.name()))
                .collect(Collectors.toUnmodifiableSet());
        this.requested = ofKind("CredentialsRequest")
                .map(object -> Fields.any(object.content(), "spec", "secretRef"))
                .map(secret -> secret(
                        UntrustedContent.quoted(Fields.text(secret, "namespace")),
                        UntrustedContent.quoted(Fields.text(secret, "name"))))
                .collect(Collectors.toUnmodifiableSet());
    }

    public List<ManifestObject> objects() {
        return objects;
    }

    /** What could not be read. */
    public List<Finding> unreadable() {
        return unreadable;
    }

    /** The workloads that run a cloud controller manager or cloud node manager. */
    public Stream<Workload> workloads() {
        return objects.stream().flatMap(object -> Workload.of(object).stream());
    }

    /** Whether an object is among the manifests. */
    public boolean has(String kind, String namespace, String name) {
        return keys.contains(new Key(kind, namespace, name));
    }

    /** The objects of a kind. */
    public Stream<ManifestObject> ofKind(String kind) {
        return objects.stream().filter(object -> object.kind().equals(kind));
    }

    /** Whether a CredentialsRequest asks for the Secret. */
    public boolean requestsSecret(String namespace, String name) {
        return requested.contains(secret(namespace, name));
    }

    private static Key secret(String namespace, String name) {
        return new Key("Secret", namespace, name);
    }
}
