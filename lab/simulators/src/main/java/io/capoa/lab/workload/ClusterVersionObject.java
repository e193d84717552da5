package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import io.capoa.lab.upgrade.AvailableUpdates;
import io.capoa.lab.upgrade.ClusterVersionSpec;
import io.capoa.lab.upgrade.Condition;
import io.capoa.lab.upgrade.HistoryEntry;
import io.capoa.lab.upgrade.Payload;
import io.capoa.lab.upgrade.UpdateGraph;
import io.capoa.lab.upgrade.UpdateRequest;
import io.capoa.lab.upgrade.UpdateState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the spec of the ClusterVersion and writes its status. */
final class ClusterVersionObject {

    static final String NAME = "version";

    private static final List<String> CAPABILITIES = List.of("Build", "Console", "Ingress", "Insights", "baremetal");

    private ClusterVersionObject() {}

    /** The object of a new cluster, without status. */
    static Map<String, Object> of(String id, String version) {
        return ReleaseStatus.object(
                Resource.CLUSTER_VERSIONS,
                NAME,
                Map.of("clusterID", uuid(id), "channel", UpdateGraph.installChannel(version)));
    }

    private static String uuid(String id) {
        try {
            return UUID.fromString(id).toString();
        } catch (IllegalArgumentException e) {
            return UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString();
        }
    }

    static ClusterVersionSpec spec(Map<String, Object> object) {
        boolean overridden = Fields.any(object, "spec", "overrides") instanceof List<?> overrides
                && overrides.stream().anyMatch(override -> Boolean.TRUE.equals(Fields.any(override, "unmanaged")));
        return new ClusterVersionSpec(
                Fields.any(object, "metadata", "generation") instanceof Integer generation ? generation : 1,
                Fields.text(object, "spec", "clusterID"),
                Fields.text(object, "spec", "channel"),
                Fields.text(object, "spec", "upstream"),
                Optional.ofNullable(Fields.any(object, "spec", "desiredUpdate")).map(ClusterVersionObject::request),
                overridden);
    }

    private static UpdateRequest request(Object update) {
        List<String> risks = Fields.any(update, "acceptRisks") instanceof List<?> list
                ? list.stream().map(risk -> Fields.text(risk, "name")).toList()
                : List.of();
        return new UpdateRequest(
                Fields.text(update, "version"),
                Fields.text(update, "image"),
                Boolean.TRUE.equals(Fields.any(update, "force")),
                Fields.text(update, "architecture"),
                risks);
    }

    /** Writes the status into the object. */
    static Map<String, Object> write(
            Map<String, Object> object, UpdateState state, AvailableUpdates updates, List<Condition> conditions) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("desired", release(state.desired()));
        status.put(
                "history",
                state.history().stream().map(ClusterVersionObject::entry).toList());
        status.put("observedGeneration", state.observedGeneration());
        status.put("versionHash", Integer.toHexString(state.desired().hashCode()));
        status.put("capabilities", Map.of("enabledCapabilities", CAPABILITIES, "knownCapabilities", CAPABILITIES));
        status.put("conditions", StatusConditions.of(conditions, object));
        boolean retrieved = updates.retrieved().isTrue();
        status.put(
                "availableUpdates",
                retrieved && !updates.available().isEmpty()
                        ? updates.available().stream()
                                .map(ClusterVersionObject::release)
                                .toList()
                        : null);
        if (!updates.conditional().isEmpty()) {
            status.put(
                    "conditionalUpdates",
                    updates.conditional().stream()
                            .map(update -> conditional(update, conditionalBefore(object, update)))
                            .toList());
        }
        object.put("status", status);
        return Json.copy(object);
    }

    private static Map<String, Object> release(Payload payload) {
        Map<String, Object> release = new LinkedHashMap<>();
        release.put("version", payload.version());
        release.put("image", payload.image());
        release.put("url", "https://access.redhat.com/errata/lab-" + payload.version());
        release.put("channels", UpdateGraph.channels(payload.version()));
        return release;
    }

    private static Map<String, Object> entry(HistoryEntry entry) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("state", entry.applied() ? "Completed" : "Partial");
        written.put("startedTime", time(entry.started()));
        written.put(
                "completionTime",
                entry.completed().map(ClusterVersionObject::time).orElse(null));
        written.put("version", entry.payload().version());
        written.put("image", entry.payload().image());
        written.put("verified", entry.verified());
        if (!entry.acceptedRisks().isEmpty()) {
            written.put("acceptedRisks", entry.acceptedRisks());
        }
        return written;
    }

    private static Map<String, Object> conditional(AvailableUpdates.Conditional update, Map<String, Object> before) {
        String message =
                "The update to %s has risk %s.".formatted(update.payload().version(), update.risk());
        Condition recommended = Condition.no("Recommended", update.risk(), message);
        return Map.of(
                "release",
                release(update.payload()),
                "risks",
                List.of(Map.of(
                        "name",
                        update.risk(),
                        "url",
                        "https://docs.example.com/risks/" + update.risk(),
                        "message",
                        message,
                        "matchingRules",
                        List.of(Map.of("type", "Always")))),
                "conditions",
                StatusConditions.of(List.of(recommended), Map.of("status", before)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> conditionalBefore(
            Map<String, Object> object, AvailableUpdates.Conditional update) {
        return Fields.any(object, "status", "conditionalUpdates") instanceof List<?> list
                ? list.stream()
                        .filter(known -> update.payload().image().equals(Fields.text(known, "release", "image")))
                        .map(known -> (Map<String, Object>) known)
                        .findFirst()
                        .orElse(Map.of())
                : Map.of();
    }

    private static @Nullable String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
