package io.capoa.controlplane.install;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far an installation is, as its AgentClusterInstall tells.
 *
 * @param name {@code status.debugInfo.state}, empty before assisted-service has seen the object
 * @param completed whether assisted-service reports the installation complete
 * @param failure assisted-service's words if the installation ended in an error or was cancelled
 */
public record InstallState(
        String name, boolean completed, @Nullable String failure) {

    private static final Set<String> BEFORE_START = Set.of("", "insufficient", "pending-for-input", "ready");
    private static final Set<String> API_SERVES = Set.of("finalizing", "installed", "adding-hosts");

    /** The state of an AgentClusterInstall, or the state before it exists. */
    public static InstallState of(@Nullable AgentClusterInstall install) {
        if (install == null) {
            return new InstallState("", false, null);
        }
        String state = Fields.string(install, "status", "debugInfo", "state");
        return new InstallState(
                state == null ? "" : state, ConditionView.isTrue(install, "Completed"), failure(install, state));
    }

    private static @Nullable String failure(AgentClusterInstall install, @Nullable String state) {
        ConditionView failed = ConditionView.of(install, "Failed").orElse(null);
        if (failed != null && failed.isTrue()) {
            return failed.message();
        }
        ConditionView stopped = ConditionView.of(install, "Stopped").orElse(null);
        if (stopped != null && stopped.isTrue() && stopped.reason().equals("InstallationCancelled")) {
            return stopped.message();
        }
        if ("error".equals(state) || "cancelled".equals(state)) {
            String info = Fields.string(install, "status", "debugInfo", "stateInfo");
            return info == null ? "the installation is in state " + state : info;
        }
        return null;
    }

    /** Whether the installation has begun, so that assisted-service refuses changes to what it was asked for. */
    public boolean started() {
        return completed || !BEFORE_START.contains(name);
    }

    /** Whether the installed API server can take requests: enough control plane nodes are up. */
    public boolean apiServes() {
        return completed || API_SERVES.contains(name);
    }

    public boolean failed() {
        return failure != null;
    }
}
