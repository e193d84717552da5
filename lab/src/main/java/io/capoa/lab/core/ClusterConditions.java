package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.lab.actors.Draft;
import java.util.Set;

/** Computes phase and summary conditions of a Cluster from its other fields. */
final class ClusterConditions {

    private ClusterConditions() {}

    /** Writes them; {@code connected} says whether the workload cluster's API is reachable. */
    static void write(Draft<Cluster> draft, boolean connected) {
        boolean initialized = draft.isTrue("status", "initialization", "controlPlaneInitialized");
        draft.condition(
                "ControlPlaneInitialized",
                initialized ? "True" : "False",
                initialized ? "Initialized" : "NotInitialized",
                initialized ? "" : "Control plane not yet initialized");
        draft.condition(
                "RemoteConnectionProbe",
                connected ? "True" : "False",
                connected ? "ProbeSucceeded" : "ProbeFailed",
                connected ? "" : "Remote connection not established yet");
        new Summary(draft, Set.of("Deleting"))
                .of("Deleting")
                .of("RemoteConnectionProbe")
                .of("InfrastructureReady")
                .of("ControlPlaneAvailable")
                .of("WorkersAvailable")
                .into("Available");
        draft.set(phase(draft), "status", "phase");
    }

    /** The phase, by the rules of Cluster API. */
    static String phase(Draft<Cluster> draft) {
        if (Contract.isDeleting(draft.read())) {
            return "Deleting";
        }
        boolean endpoint = draft.get("spec", "controlPlaneEndpoint", "host") instanceof String host && !host.isEmpty();
        if (draft.isTrue("status", "initialization", "infrastructureProvisioned") && endpoint) {
            return "Provisioned";
        }
        boolean refers = draft.get("spec", "infrastructureRef") != null || draft.get("spec", "controlPlaneRef") != null;
        return refers ? "Provisioning" : "Pending";
    }
}
