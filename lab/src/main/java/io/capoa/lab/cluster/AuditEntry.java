package io.capoa.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.util.Set;

/**
 * One finished request to the API server. What a request does not have, such as the resource of {@code /readyz}, is
 * empty.
 *
 * @param user who asked
 * @param verb as RBAC names it, such as {@code patch} or {@code watch}
 * @param apiGroup empty for the core group too
 * @param code HTTP status of the answer
 * @param received when the request arrived
 * @param time when it was finished
 * @param object the object as the server answered it; missing unless the log keeps the objects of writes
 */
public record AuditEntry(
        String user,
        String verb,
        String apiGroup,
        String resource,
        String subresource,
        String namespace,
        String name,
        String uri,
        int code,
        Instant received,
        Instant time,
        JsonNode object) {

    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");

    static AuditEntry of(JsonNode event) {
        JsonNode object = event.path("objectRef");
        return new AuditEntry(
                event.path("user").path("username").asText(),
                event.path("verb").asText(),
                object.path("apiGroup").asText(),
                object.path("resource").asText(),
                object.path("subresource").asText(),
                object.path("namespace").asText(),
                object.path("name").asText(),
                event.path("requestURI").asText(),
                event.path("responseStatus").path("code").asInt(),
                instant(event.path("requestReceivedTimestamp")),
                instant(event.path("stageTimestamp")),
                written(event));
    }

    private static JsonNode written(JsonNode event) {
        JsonNode answer = event.path("responseObject");
        return answer.path("kind").asText().equals("Status") ? MissingNode.getInstance() : answer;
    }

    private static Instant instant(JsonNode field) {
        return field.isTextual() ? Instant.parse(field.asText()) : Instant.EPOCH;
    }

    /** Whether it changes anything when it succeeds. */
    public boolean isWrite() {
        return WRITES.contains(verb);
    }

    /** The version of the object after the request, empty where the log does not keep it. */
    public String resourceVersion() {
        return object.path("metadata").path("resourceVersion").asText();
    }

    /** Whether the server did what was asked. */
    public boolean succeeded() {
        return code >= 200 && code < 300;
    }
}
