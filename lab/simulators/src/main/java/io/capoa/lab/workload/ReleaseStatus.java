package io.capoa.lab.workload;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Objects of operators, and their conditions. */
final class ReleaseStatus {

    private ReleaseStatus() {}

    /** An object of a new cluster, without status. */
    static Map<String, Object> object(Resource resource, String name, Map<String, Object> spec) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", resource.apiVersion());
        object.put("kind", resource.kind());
        object.put("metadata", new LinkedHashMap<>(Map.of("name", name, "generation", 1)));
        object.put("spec", spec);
        return Json.copy(object);
    }

    static Map<String, Object> condition(String type, String status, String reason) {
        return condition(type, status, reason, "");
    }

    static Map<String, Object> condition(String type, String status, String reason, String message) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", type);
        condition.put("status", status);
        condition.put("reason", reason);
        condition.put("message", message);
        condition.put("lastTransitionTime", now());
        return condition;
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
