package io.capoa.controlplane.extension;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Decides whether a change of Machines is one of their version alone, which the cluster itself carries out. */
final class VersionChange {

    private static final String VERSION = "version";

    /** Fields that Cluster API does not compare, because it propagates them or they differ by design. */
    private static final List<String> NOT_COMPARED = List.of(
            "clusterName",
            "bootstrap",
            "infrastructureRef",
            "providerID",
            "minReadySeconds",
            "readinessGates",
            "deletion",
            "taints");

    private VersionChange() {}

    /** Answers CanUpdateMachineSet. */
    static HookResponse ofSet(HookRequest request) throws InvalidRequest {
        JsonNode current = request.object("current", "machineSet", "spec", "template", "spec");
        JsonNode desired = request.object("desired", "machineSet", "spec", "template", "spec");
        request.object("current", "infrastructureMachineTemplate");
        request.object("desired", "infrastructureMachineTemplate");
        boolean same = isSame(request, "infrastructureMachineTemplate", "spec", "template", "spec")
                && isSame(request, "bootstrapConfigTemplate", "spec", "template", "spec");
        return patch(current, desired, same)
                .map(patch -> HookResponse.success()
                        .with("machineSetPatch", wrapped(nested("spec", nested("template", nested("spec", patch))))))
                .orElseGet(HookResponse::success);
    }

    /** Answers CanUpdateMachine. */
    static HookResponse ofMachine(HookRequest request) throws InvalidRequest {
        JsonNode current = request.object("current", "machine", "spec");
        JsonNode desired = request.object("desired", "machine", "spec");
        request.object("current", "infrastructureMachine");
        request.object("desired", "infrastructureMachine");
        boolean same = isSame(request, "infrastructureMachine", "spec") && isSame(request, "bootstrapConfig", "spec");
        return patch(current, desired, same)
                .map(patch -> HookResponse.success().with("machinePatch", wrapped(nested("spec", patch))))
                .orElseGet(HookResponse::success);
    }

    private static boolean isSame(HookRequest request, String object, String... path) {
        JsonNode current = request.root().path("current").path(object);
        JsonNode desired = request.root().path("desired").path(object);
        for (String field : path) {
            current = current.path(field);
            desired = desired.path(field);
        }
        return isEmpty(current) ? isEmpty(desired) : current.equals(desired);
    }

    private static boolean isEmpty(JsonNode node) {
        return node.isMissingNode() || node.isNull() || (node.isObject() && node.isEmpty());
    }

    /** Empty if another field differs too, or nothing does: without a patch Cluster API replaces the Machines. */
    private static Optional<ObjectNode> patch(JsonNode current, JsonNode desired, boolean othersAreSame)
            throws InvalidRequest {
        JsonNode version = desired.path(VERSION);
        if (!version.isMissingNode() && !version.isNull() && !version.isTextual()) {
            throw new InvalidRequest("version of the desired Machines is not a string");
        }
        if (!othersAreSame
                || current.path(VERSION).equals(version)
                || !compared(current).equals(compared(desired))) {
            return Optional.empty();
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.set(VERSION, version.isTextual() ? version : JsonNodeFactory.instance.nullNode());
        return Optional.of(patch);
    }

    private static ObjectNode compared(JsonNode spec) {
        ObjectNode compared = spec.deepCopy();
        compared.remove(VERSION);
        return compared.remove(NOT_COMPARED);
    }

    private static ObjectNode nested(String field, ObjectNode value) {
        ObjectNode outer = JsonNodeFactory.instance.objectNode();
        outer.set(field, value);
        return outer;
    }

    /** The protocol's patch holds its text in base64. */
    private static ObjectNode wrapped(ObjectNode patch) {
        String text = Base64.getEncoder().encodeToString(patch.toString().getBytes(StandardCharsets.UTF_8));
        return JsonNodeFactory.instance
                .objectNode()
                .put("patchType", "JSONMergePatch")
                .put("patch", text);
    }
}
