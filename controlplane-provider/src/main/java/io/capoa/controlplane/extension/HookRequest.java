package io.capoa.controlplane.extension;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.release.KubernetesVersion;
import io.capoa.runtime.client.ObjectName;
import java.io.IOException;
import java.util.Optional;

/**
 * The request of a hook, read field by field. A field of another type than expected is an error that names it.
 *
 * @param root a JSON object
 */
record HookRequest(JsonNode root) {

    private static final ObjectMapper JSON = UntrustedContent.json();

    /**
     * Reads a request.
     *
     * @param body as it was sent
     * @param kind the kind that the path takes, such as {@code UpdateMachineRequest}
     */
    static HookRequest parse(byte[] body, String kind) throws InvalidRequest {
        JsonNode root;
        try {
            root = JSON.readTree(body);
        } catch (IOException e) {
            throw new InvalidRequest("the body is not JSON, or has too many or too long values");
        }
        if (root == null || !root.isObject()) {
            throw new InvalidRequest("the body is not a JSON object");
        }
        HookRequest request = new HookRequest(root);
        expect(request, "apiVersion", Hook.API_VERSION);
        expect(request, "kind", kind);
        return request;
    }

    private static void expect(HookRequest request, String field, String value) throws InvalidRequest {
        String given = request.text(field);
        if (!given.equals(value)) {
            throw new InvalidRequest(field + " is " + UntrustedContent.quoted(given) + ", this path takes " + value);
        }
    }

    /** An object that must be there. */
    JsonNode object(String... path) throws InvalidRequest {
        JsonNode node = at(path);
        if (!node.isObject()) {
            throw new InvalidRequest(String.join(".", path) + (isAbsent(node) ? " is missing" : " is not an object"));
        }
        return node;
    }

    /** A text that must be there and not be empty. */
    String text(String... path) throws InvalidRequest {
        return optionalText(path).orElseThrow(() -> new InvalidRequest(String.join(".", path) + " is missing"));
    }

    /** A text; empty if it is absent, null or empty. */
    Optional<String> optionalText(String... path) throws InvalidRequest {
        JsonNode node = at(path);
        if (isAbsent(node)) {
            return Optional.empty();
        }
        if (!node.isTextual()) {
            throw new InvalidRequest(String.join(".", path) + " is not a string");
        }
        return node.textValue().isEmpty() ? Optional.empty() : Optional.of(node.textValue());
    }

    /** The name of an object. */
    String name(String... path) throws InvalidRequest {
        String name = text(path);
        Optional<String> problem = ObjectName.problem(String.join(".", path), name);
        if (problem.isPresent()) {
            throw new InvalidRequest(problem.get());
        }
        return name;
    }

    /** A Kubernetes version that must be there. */
    KubernetesVersion version(String... path) throws InvalidRequest {
        return version(text(path), path);
    }

    /** A Kubernetes version; empty if the field is absent. */
    Optional<KubernetesVersion> optionalVersion(String... path) throws InvalidRequest {
        Optional<String> text = optionalText(path);
        return text.isEmpty() ? Optional.empty() : Optional.of(version(text.get(), path));
    }

    private static KubernetesVersion version(String text, String... path) throws InvalidRequest {
        return KubernetesVersion.parse(text)
                .orElseThrow(() -> new InvalidRequest(String.join(".", path) + " is " + UntrustedContent.quoted(text)
                        + ", which is not a Kubernetes version: write one such as v1.34.2"));
    }

    private JsonNode at(String... path) throws InvalidRequest {
        JsonNode node = root;
        StringBuilder name = new StringBuilder();
        for (String field : path) {
            if (!node.isObject() && !isAbsent(node)) {
                throw new InvalidRequest(name + " is not an object");
            }
            node = node.path(field);
            name.append(name.isEmpty() ? "" : ".").append(field);
        }
        return node;
    }

    private static boolean isAbsent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }
}
