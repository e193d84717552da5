package io.capoa.bootstrap.infrastructure;

import io.capoa.bootstrap.agent.HostHints;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The host of a Machine as its infrastructure provider shows it, and the patches that make the provider act on it.
 * Immutable, and without a client. All patches are JSON merge patches of {@link #object}.
 */
public interface Host {

    /**
     * A host that is powered on and boots, or has booted, what was made for its Machine.
     *
     * @param booted when it was last provisioned; {@code null} if that is not known
     * @param rebootedFor what {@link Host#reboot} last recorded; {@code null} if it never did
     * @param obstacle why the host is not to be rebooted, not on request either
     */
    record Running(@Nullable Instant booted, @Nullable String rebootedFor, Optional<String> obstacle) {}

    /** The object that represents the host. */
    HasMetadata object();

    /** Settings of the host's Agent that the provider determines. */
    default HostHints hints() {
        return HostHints.NONE;
    }

    /** Why another controller manages the host, and its Agent is not to be changed; empty if none does. */
    default Optional<Blocker> otherController() {
        return Optional.empty();
    }

    /** Settings on the host's object that nothing reads, with the remedy, for people; empty if there are none. */
    default Optional<String> ignoredSettings() {
        return Optional.empty();
    }

    /**
     * How the host runs; empty while it does not, or where it cannot be rebooted.
     *
     * @param clusterIsDeleted whether the Machine's Cluster is being deleted, which is an obstacle to a reboot
     */
    default Optional<Running> running(boolean clusterIsDeleted) {
        return Optional.empty();
    }

    /**
     * Patch that reboots the host.
     *
     * @param reason recorded on the host, see {@link Running#rebootedFor}
     */
    default Map<String, Object> reboot(String reason) {
        return Map.of();
    }

    /**
     * Patch that has the host boot the live ISO of its Machine where the provider gave it another image; empty if it need
     * not, or must not now.
     *
     * @param isoUrl of the ISO that was made for the Machine
     */
    default Map<String, Object> booting(String isoUrl) {
        return Map.of();
    }

    /**
     * Patch that keeps the provider from booting the discovery media again, and its reversal before the host is
     * deprovisioned; empty if the host is as it should be.
     *
     * @param installed whether the host runs the installed system, or is about to
     * @param config name of the Machine's config, recorded on the host
     */
    default Map<String, Object> detachment(boolean installed, String config) {
        return Map.of();
    }

    /** Patch that reverses {@link #detachment} when the config is deleted; empty if it was not detached. */
    default Map<String, Object> release() {
        return Map.of();
    }
}
