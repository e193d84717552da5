package io.capoa.controlplane.status;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.AvailableUpdate;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.upgrade.OfferedUpdate;
import io.capoa.controlplane.upgrade.UpgradeOffers;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields of the status that an upgrade changes. */
final class UpgradeStatus {

    private static final int LISTED = 20;
    private static final int LISTED_RISKS = 32;

    private UpgradeStatus() {}

    /**
     * Machines that match the spec, as their conditions UpToDate say.
     *
     * @param results {@code null} if the steps did not run
     */
    static int upToDate(ControlPlaneObservation observation, @Nullable StepResults results, MachineCounts counts) {
        UpgradeOutcome upgrade = results == null ? null : results.answers().upgrade();
        return UpgradeOutcome.outdated(observation.controlPlane(), upgrade).isPresent() ? 0 : counts.upToDate();
    }

    /** The offered updates, newest first; those that were known before while the cluster does not answer. */
    static @Nullable List<AvailableUpdate> availableUpdates(
            StepResults results, OpenshiftAssistedControlPlaneStatus before) {
        UpgradeOutcome upgrade = results.answers().upgrade();
        if (upgrade == null || upgrade.version().isEmpty()) {
            return before.availableUpdates();
        }
        List<AvailableUpdate> updates = UpgradeOffers.newestFirst(
                        upgrade.version().get())
                .stream()
                .limit(LISTED)
                .map(UpgradeStatus::listed)
                .toList();
        return updates.isEmpty() ? null : updates;
    }

    private static AvailableUpdate listed(OfferedUpdate update) {
        return new AvailableUpdate(
                update.release().version(),
                update.risks().isEmpty()
                        ? null
                        : update.risks().stream().limit(LISTED_RISKS).toList());
    }
}
