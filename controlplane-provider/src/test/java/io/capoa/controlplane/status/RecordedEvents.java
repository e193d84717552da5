package io.capoa.controlplane.status;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.events.RecordedEvent;
import java.util.List;

/** The Events of a control plane that has a status for the first time. */
public final class RecordedEvents {

    private RecordedEvents() {}

    public static List<RecordedEvent> of(OpenshiftAssistedControlPlaneStatus status) {
        return StatusEvents.between(null, status);
    }
}
