package io.capoa.controlplane.upgrade;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.MachineHealthCheck;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which MachineHealthChecks wait while their cluster or its nodes are updated: a node that restarts longer than a
 * check allows would be found unhealthy, and its host replaced in the middle of the update. A marker on the object says that the pause
 * is the provider's, which alone ends it; so a restart in between loses nothing, and a pause of the user stays.
 */
public final class HealthCheckPause {

    /** What the state of the cluster asks for. */
    public enum Phase {
        /** The cluster moves to another release, or its nodes are being updated. */
        PAUSE,
        /** The cluster says that it does not. */
        RELEASE,
        /** The cluster has not said what it does. */
        KEEP
    }

    /**
     * A change of a MachineHealthCheck.
     *
     * @param patch as a JSON merge patch; valid for the object that was read only
     */
    public record CheckPatch(MachineHealthCheck check, Map<String, ?> patch) {}

    private HealthCheckPause() {}

    /**
     * The phase after a reconcile's upgrade step.
     *
     * @param upgrade {@code null} before the installation is complete
     * @param updating whether nodes are being updated, see {@link NodeUpdates}
     */
    public static Phase phase(@Nullable UpgradeOutcome upgrade, boolean updating) {
        if (upgrade == null) {
            return Phase.KEEP;
        }
        if (upgrade.isMoving() || updating) {
            return Phase.PAUSE;
        }
        return upgrade.version().isPresent() ? Phase.RELEASE : Phase.KEEP;
    }

    /**
     * The changes that the phase needs.
     *
     * @param checks MachineHealthChecks of a namespace
     * @param cluster name of the Cluster
     * @param controlPlane name of the control plane, which the marker holds
     */
    public static List<CheckPatch> changes(
            Phase phase, List<MachineHealthCheck> checks, String cluster, String controlPlane) {
        Stream<MachineHealthCheck> own = checks.stream()
                .filter(check -> !check.isMarkedForDeletion())
                .filter(check -> cluster.equals(Fields.string(check, "spec", "clusterName")));
        return switch (phase) {
            case PAUSE ->
                own.filter(check -> !has(check, Annotations.PAUSED) && !has(check, Annotations.PAUSED_FOR_UPGRADE))
                        .map(check -> change(check, "", controlPlane))
                        .toList();
            case RELEASE ->
                own.filter(check -> has(check, Annotations.PAUSED_FOR_UPGRADE))
                        .map(check -> change(check, null, null))
                        .toList();
            case KEEP -> List.of();
        };
    }

    private static CheckPatch change(MachineHealthCheck check, @Nullable String pause, @Nullable String marker) {
        Map<String, @Nullable String> annotations = new TreeMap<>();
        annotations.put(Annotations.PAUSED, pause);
        annotations.put(Annotations.PAUSED_FOR_UPGRADE, marker);
        return new CheckPatch(check, Map.of("metadata", Map.of("annotations", annotations)));
    }

    private static boolean has(MachineHealthCheck check, String annotation) {
        return Objects.requireNonNullElse(check.getMetadata().getAnnotations(), Map.of())
                .containsKey(annotation);
    }
}
