package io.capoa.controlplane.extension;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.untrusted.UntrustedContent;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The response of a hook. A failure is an error that Cluster API repeats the request after, never a "no".
 *
 * @param message without times and counters: Cluster API puts it into conditions
 * @param fields further top-level fields
 */
record HookResponse(boolean succeeded, String message, SortedMap<String, JsonNode> fields) {

    private static final JsonMapper JSON = UntrustedContent.json();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    static HookResponse success() {
        return new HookResponse(true, "", new TreeMap<>());
    }

    static HookResponse failure(String message) {
        return new HookResponse(false, message, new TreeMap<>());
    }

    /** Not finished: to be asked again. */
    static HookResponse retry(int afterSeconds, String message) {
        return new HookResponse(true, message, new TreeMap<>())
                .with("retryAfterSeconds", NODES.numberNode(afterSeconds));
    }

    /** The same with a further field. */
    HookResponse with(String field, JsonNode value) {
        SortedMap<String, JsonNode> more = new TreeMap<>(fields);
        more.put(field, value);
        return new HookResponse(succeeded, message, more);
    }

    /** JSON of the response. */
    byte[] json(String kind) {
        ObjectNode response = NODES.objectNode()
                .put("apiVersion", Hook.API_VERSION)
                .put("kind", kind)
                .put("status", succeeded ? "Success" : "Failure")
                .put("message", message);
        response.setAll(fields);
        try {
            return JSON.writeValueAsBytes(response);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can be written", e);
        }
    }
}
