package io.capoa.controlplane.status;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus.LastRemediation;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.operation.RemediationRecord;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** {@code status.lastRemediation}. */
final class RemediationStatus {

    private RemediationStatus() {}

    /** The last replacement of an unhealthy Machine that the annotations know, else the one reported before. */
    static @Nullable LastRemediation last(
            ControlPlaneObservation observation, OpenshiftAssistedControlPlaneStatus before) {
        return RemediationRecord.last(observation.controlPlane(), observation.machines())
                .map(record -> new LastRemediation(
                        record.machine(),
                        record.timestamp().truncatedTo(ChronoUnit.SECONDS).toString(),
                        record.retryCount()))
                .orElse(before.lastRemediation());
    }
}
