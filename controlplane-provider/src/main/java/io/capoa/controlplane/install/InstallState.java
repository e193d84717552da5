package io.capoa.controlplane.install;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.ConditionView;
import java.util.Objects;
import java.util.Optional;
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
    private static final Set<String> ENDED = Set.of("error", "cancelled");
    private static final Set<String> API_SERVES = Set.of("finalizing", "installed", "adding-hosts");

    /** The state of an AgentClusterInstall, or the state before it exists. */
    public static InstallState of(@Nullable AgentClusterInstall install) {
        AgentClusterInstallView view = AgentClusterInstallView.of(install);
        return new InstallState(view.state(), view.isCompleted(), failure(view).orElse(null));
    }

    private static Optional<String> failure(AgentClusterInstallView install) {
        return install.failed()
                .or(() -> install.stopped().filter(stopped -> stopped.reason().equals("InstallationCancelled")))
                .map(ConditionView::message)
                .or(() -> ENDED.contains(install.state()) ? Optional.of(info(install)) : Optional.empty());
    }

    private static String info(AgentClusterInstallView install) {
        return Objects.requireNonNullElse(install.stateInfo(), "the installation is in state " + install.state());
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
