package io.capoa.lab.page;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.controller.Key;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells when the managers do not keep their objects up to date: a Lease that is not renewed, or a control plane that does
 * not follow its objects. Times are of this process's monotonic clock: the one of a manager may be wrong, so that what
 * counts is when a change arrived here, as in leader election.
 */
final class Freshness {

    /** Leader election of both managers, by the names of their Leases. */
    static final Map<String, String> LEASES = Map.of(
            "09dff44b.cluster.x-k8s.io", "control-plane manager",
            "08dff33b.cluster.x-k8s.io", "bootstrap manager");

    /** A manager that runs does both sooner. */
    private static final Duration LATE = Duration.ofSeconds(30);

    private final Map<String, Seen> seen = new HashMap<>();

    /** What was seen, and since when, in nanoseconds. */
    private record Seen(Object what, long since) {}

    /** A control plane with its AgentClusterInstall, if it has one. */
    record Pair(
            OpenshiftAssistedControlPlane controlPlane,
            @Nullable AgentClusterInstall install) {}

    /**
     * A sentence for each manager that is away, and for each control plane that is out of date.
     *
     * @param nanos now
     */
    List<String> stale(Stream<Lease> leases, Stream<Pair> controlPlanes, long nanos) {
        List<String> stale = new ArrayList<>();
        leases.forEach(lease -> {
            String manager = LEASES.get(lease.getMetadata().getName());
            LeaseSpec spec = lease.getSpec();
            if (manager == null || spec == null) {
                return;
            }
            String of = "%s (Lease %s)".formatted(manager, Key.of(lease));
            Duration unchanged = unchanged("lease " + Key.of(lease), String.valueOf(spec.getRenewTime()), nanos);
            Duration lasts = Duration.ofSeconds(Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), 15));
            if (spec.getHolderIdentity() == null || spec.getHolderIdentity().isEmpty()) {
                stale.add("No %s is running: what its objects say may be old.".formatted(of));
            } else if (unchanged.compareTo(lasts) > 0) {
                stale.add("The %s has been away for %d s: what its objects say may be old."
                        .formatted(of, unchanged.toSeconds()));
            }
        });
        controlPlanes.forEach(pair -> {
            String key = "OpenshiftAssistedControlPlane " + Key.of(pair.controlPlane());
            String behind = behind(pair);
            Duration since = unchanged(key, behind, nanos);
            if (!behind.isEmpty() && since.compareTo(LATE) > 0) {
                stale.add("%s is out of date: for %d s %s. Does the control-plane manager run?"
                        .formatted(key, since.toSeconds(), behind));
            }
        });
        return stale;
    }

    /** What the status of a control plane does not say yet; empty if there is nothing, or if it is paused. */
    private static String behind(Pair pair) {
        OpenshiftAssistedControlPlane controlPlane = pair.controlPlane();
        if (ObjectConditions.trueSince(controlPlane, "Paused").isPresent()) {
            return "";
        }
        Long generation = controlPlane.getMetadata().getGeneration();
        Long observed = controlPlane.getStatus() == null
                ? null
                : controlPlane.getStatus().observedGeneration();
        if (generation != null && (observed == null || observed < generation)) {
            return "its status has been of an older spec";
        }
        boolean failed = pair.install() != null
                && ObjectConditions.worst(pair.install())
                        .filter(line -> line.group() == PageState.Group.TROUBLE)
                        .isPresent();
        return failed
                        && ObjectConditions.trueSince(controlPlane, ControlPlaneConditions.INSTALL_SUCCEEDING)
                                .isPresent()
                ? "its status has not had the failure that assisted-service reports"
                : "";
    }

    private Duration unchanged(String key, Object what, long nanos) {
        Seen last = seen.compute(key, (k, had) -> had != null && had.what().equals(what) ? had : new Seen(what, nanos));
        return Duration.ofNanos(nanos - last.since());
    }
}
