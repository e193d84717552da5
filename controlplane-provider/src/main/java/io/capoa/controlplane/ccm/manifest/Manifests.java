package io.capoa.controlplane.ccm.manifest;

import io.capoa.api.contract.Fields;
import java.util.List;

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
        return objects.stream()
                .anyMatch(object -> object.kind().equals(kind)
                        && object.namespace().equals(namespace)
                        && object.name().equals(name));
    }

    /** Whether a CredentialsRequest asks for the Secret. */
    public boolean requestsSecret(String namespace, String name) {
        return objects.stream()
                .filter(object -> object.kind().equals("CredentialsRequest"))
                .map(object -> Fields.any(object.content(), "spec", "secretRef"))
                .anyMatch(secret ->
                        name.equals(Fields.any(secret, "name")) && namespace.equals(Fields.any(secret, "namespace")));
    }
}
