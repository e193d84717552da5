package io.capoa.controlplane.upgrade;

import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The next step of an upgrade. */
public sealed interface UpgradeDecision {

    /** An upgrade that must not start before the control plane is well. */
    static UpgradeDecision waiting(String obstacle) {
        return new Blocked(new Blocker(ControlPlaneConditions.UPGRADE_WAITING_FOR_CONTROL_PLANE, obstacle));
    }

    /**
     * The cluster runs the wanted release.
     *
     * @param other reports what else is asked for: a Kubernetes version by {@code spec.version}, or a release by another
     *     client; {@code null} if nothing is
     */
    record AtRest(@Nullable Blocker other) implements UpgradeDecision {

        /** Nothing else is asked for. */
        public AtRest() {
            this(null);
        }
    }

    /** The cluster has not answered. */
    record Unreachable(String message) implements UpgradeDecision {}

    /** The upgrade must not start; nothing has been written. */
    record Blocked(Blocker blocker) implements UpgradeDecision {}

    /**
     * The upgrade is on its way, and the next step is the cluster's or the registry's.
     *
     * @param message how far it is
     */
    record Moving(String message) implements UpgradeDecision {}

    /** The cluster refuses the wanted release, or does not get on with it. */
    record Stuck(String message) implements UpgradeDecision {}

    /** Change the cluster. */
    sealed interface Change extends UpgradeDecision {

        /** What is done, for people. */
        String message();
    }

    /** Acknowledge these gates. */
    record Acknowledge(List<String> gates) implements Change {
        @Override
        public String message() {
            return "acknowledging " + String.join(", ", gates);
        }
    }

    /** Set the update channel. */
    record SetChannel(String channel) implements Change {
        @Override
        public String message() {
            return "setting the update channel to " + channel;
        }
    }

    /**
     * Ask the cluster to upgrade.
     *
     * @param force whether the cluster skips its checks
     */
    record Request(ReleaseName release, boolean force) implements Change {
        @Override
        public String message() {
            return "asking the cluster to upgrade to " + release.version();
        }
    }

    /** Take back a request of the provider that the spec no longer asks for, and the cluster has not taken. */
    record Withdraw(ReleaseName release) implements Change {
        @Override
        public String message() {
            return "taking back the request to upgrade to " + release.version();
        }
    }
}
