package io.capoa.controlplane.install;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.AssistedState;
import io.capoa.api.contract.ConditionView;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Progress of an installation, as its AgentClusterInstall reports it.
 *
 * @param name {@code status.debugInfo.state}, empty before assisted-service has seen the object
 * @param completed whether assisted-service reports the installation complete
 * @param failure message of assisted-service if the installation failed or was cancelled
 */
public record InstallState(
        String name, boolean completed, @Nullable String failure) {

    private static final Set<String> BEFORE_START = Set.of("", "insufficient", "pending-for-input", "ready");
    private static final Set<String> ENDED = Set.of("error", "cancelled");
    private static final Set<String> API_SERVES = Set.of("finalizing", "installed", "adding-hosts");

    /** The state of an AgentClusterInstall; an absent one has not started. */
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
        return Objects.requireNonNullElseGet(
                install.stateInfo(), () -> "assisted-service says " + AssistedState.ofCluster(install.state()));
    }

    /** Whether the installation has started, so that assisted-service rejects changes. */
    public boolean started() {
        return completed || !BEFORE_START.contains(name);
    }

    /** Whether the installed API server takes requests: enough control plane nodes are up. */
    public boolean apiServes() {
        return completed || API_SERVES.contains(name);
    }

    /** Whether the installation goes on and waits for no action of a user. */
    public boolean advances() {
        return started() && !completed && !failed() && !name.endsWith("pending-user-action");
    }

    public boolean failed() {
        return failure != null;
    }
}
