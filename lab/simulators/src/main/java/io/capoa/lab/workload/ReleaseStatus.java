package io.capoa.lab.workload;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects of {@code config.openshift.io} that report the release of a cluster, and their conditions. */
final class ReleaseStatus {

    private ReleaseStatus() {}

    static Map<String, Object> clusterVersion(String id, ReleaseVersions release, boolean completed) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("desired", Map.of("version", release.version(), "image", release.image()));
        status.put("observedGeneration", 1);
        status.put("versionHash", "");
        status.put("history", new ArrayList<>(List.of(entry(release, completed))));
        status.put("conditions", conditions(completed, !completed));
        return object("ClusterVersion", "version", Map.of("clusterID", id, "channel", ""), status);
    }

    /** An entry of the ClusterVersion's history. */
    static Map<String, Object> entry(ReleaseVersions release, boolean completed) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("version", release.version());
        entry.put("image", release.image());
        entry.put("state", completed ? "Completed" : "Partial");
        entry.put("startedTime", now());
        entry.put("verified", false);
        if (completed) {
            entry.put("completionTime", now());
        }
        return entry;
    }

    /** Conditions of the ClusterVersion. */
    static List<Map<String, Object>> conditions(boolean available, boolean progressing) {
        return List.of(
                condition("Available", available ? "True" : "False", ""),
                condition("Progressing", progressing ? "True" : "False", ""),
                condition("Failing", "False", ""));
    }

    static Map<String, Object> clusterOperator(String name, ReleaseVersions release, boolean available) {
        return object(
                "ClusterOperator",
                name,
                Map.of(),
                Map.of(
                        "versions", List.of(Map.of("name", "operator", "version", release.version())),
                        "conditions",
                                List.of(
                                        condition("Available", available ? "True" : "False", "AsExpected"),
                                        condition("Progressing", available ? "False" : "True", "AsExpected"),
                                        condition("Degraded", "False", "AsExpected"))));
    }

    private static Map<String, Object> object(String kind, String name, Object spec, Object status) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", "config.openshift.io/v1");
        object.put("kind", kind);
        object.put("metadata", new LinkedHashMap<>(Map.of("name", name, "generation", 1)));
        object.put("spec", spec);
        object.put("status", status);
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
