package io.capoa.controlplane.ccm.manifest;

import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.stream.Stream;

/**
 * The objects of all files together.
 *
 * @param unreadable what could not be read
 */
public record Manifests(List<ManifestObject> objects, List<Finding> unreadable) {

    /** The workloads that run a cloud controller manager or cloud node manager. */
    public List<Workload> workloads() {
        return objects.stream().flatMap(object -> Workload.of(object).stream()).toList();
    }

    /** Whether an object is among the manifests. */
    public boolean has(String kind, String namespace, String name) {
        return ofKind(kind)
                .anyMatch(object ->
                        object.namespace().equals(namespace) && object.name().equals(name));
    }

    /** The objects of a kind. */
    public Stream<ManifestObject> ofKind(String kind) {
        return objects.stream().filter(object -> object.kind().equals(kind));
    }

    /** Whether a CredentialsRequest asks for the Secret. */
    public boolean requestsSecret(String namespace, String name) {
        return ofKind("CredentialsRequest")
                .map(object -> Fields.any(object.content(), "spec", "secretRef"))
                .anyMatch(secret ->
                        name.equals(Fields.any(secret, "name")) && namespace.equals(Fields.any(secret, "namespace")));
    }
}
