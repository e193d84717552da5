package io.capoa.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.util.Set;

/**
 * One completed request to the API server. Attributes that a request lacks, such as the resource of {@code /readyz}, are
 * empty.
 *
 * @param pod name of the pod to which the user's token is bound; empty for other tokens
 * @param verb as in RBAC, such as {@code patch} or {@code watch}
 * @param code HTTP status of the response
 * @param received when the request arrived
 * @param time when the request was completed
 * @param object the object in the response; missing unless the audit policy logs the response objects of writes
 */
public record AuditEntry(
        String user,
        String pod,
        String verb,
        Target target,
        String uri,
        int code,
        Instant received,
        Instant time,
        JsonNode object) {

    /**
     * The resource of a request.
     *
     * @param apiGroup empty for the core group
     */
    public record Target(String apiGroup, String resource, String subresource, String namespace, String name) {}

    private static final String POD = "authentication.kubernetes.io/pod-name";
    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete", "deletecollection");

    static AuditEntry of(JsonNode event) {
        JsonNode object = event.path("objectRef");
        return new AuditEntry(
                event.path("user").path("username").asText(),
                event.path("user").path("extra").path(POD).path(0).asText(),
                event.path("verb").asText(),
                new Target(
                        object.path("apiGroup").asText(),
                        object.path("resource").asText(),
                        object.path("subresource").asText(),
                        object.path("namespace").asText(),
                        object.path("name").asText()),
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

    public String apiGroup() {
        return target.apiGroup();
    }

    public String resource() {
        return target.resource();
    }

    public String subresource() {
        return target.subresource();
    }

    public String namespace() {
        return target.namespace();
    }

    public String name() {
        return target.name();
    }

    /** Whether the verb is one that changes objects. */
    public boolean isWrite() {
        return WRITES.contains(verb);
    }

    /** Whether the object lies in the namespace or, cluster-scoped, is named after it and a dash. */
    public boolean concerns(String namespace) {
        return namespace().equals(namespace) || name().startsWith(namespace + "-");
    }

    /** The resourceVersion after the request; empty where the log lacks the object. */
    public String resourceVersion() {
        return object.path("metadata").path("resourceVersion").asText();
    }

    /** Whether the response has a status of 2xx. */
    public boolean succeeded() {
        return code >= 200 && code < 300;
    }
}
