package io.capoa.controlplane.extension;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.controlplane.workload.upgrade.NodeUpdate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The runtime extension with one Cluster in memory, called as Cluster API calls it. */
final class Hooks implements ManagedClusters {

    static final JsonMapper JSON = new JsonMapper();

    private final Map<String, HookHandler> paths = new HashMap<>();

    Optional<Machine> machine = Optional.of(on("multinode", "node-1"));
    Optional<String> kubeconfig = Optional.of("kubeconfig");
    Optional<String> controlPlaneVersion = Optional.of("v1.34.1");
    NodeUpdate node = new NodeUpdate("", true, "v1.34.1", true, "", "");

    Hooks() {
        this(true);
    }

    Hooks(boolean callersAreKnown) {
        new RuntimeExtension(this, (kubeconfig, name) -> node, callersAreKnown).serve(paths::put);
    }

    /** A Machine; an empty name of a Node means none. */
    static Machine on(String cluster, String node) {
        Machine machine = new Machine();
        machine.setAdditionalProperties(
                Map.of("spec", Map.of("clusterName", cluster), "status", Map.of("nodeRef", Map.of("name", node))));
        return machine;
    }

    Map<String, HookHandler> paths() {
        return paths;
    }

    JsonNode call(Hook hook, String body) {
        return call(hook.path(), body.getBytes(StandardCharsets.UTF_8));
    }

    JsonNode call(String path, byte[] body) {
        try {
            return JSON.readTree(
                    Optional.ofNullable(paths.get(path)).orElseThrow().answer(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A request with the fields that every request has. */
    static String request(Hook hook, String fields) {
        return """
                {"apiVersion":"hooks.runtime.cluster.x-k8s.io/v1alpha1","kind":"%sRequest","settings":{},%s}""".formatted(hook.title(), fields);
    }

    /** The JSON text of a patch in a response. */
    static String patch(JsonNode response, String field) {
        JsonNode patch = response.path(field);
        return patch.path("patchType").asText() + " "
                + new String(Base64.getDecoder().decode(patch.path("patch").asText()), StandardCharsets.UTF_8);
    }

    @Override
    public Optional<ContractReference> controlPlaneOf(String namespace, String cluster) throws InvalidRequest {
        if (namespace.equals("elsewhere")) {
            throw new InvalidRequest("namespace elsewhere is not watched");
        }
        return namespace.equals("ns") && cluster.equals("multinode")
                ? Optional.of(new ContractReference(Map.of("name", "multinode")))
                : Optional.empty();
    }

    @Override
    public Optional<KubernetesVersion> version(String namespace, ContractReference controlPlane) {
        return controlPlaneVersion.flatMap(KubernetesVersion::parse);
    }

    @Override
    public Optional<Machine> machine(String namespace, String name) {
        return machine;
    }

    @Override
    public Optional<String> kubeconfig(String namespace, String cluster) {
        return kubeconfig;
    }
}
