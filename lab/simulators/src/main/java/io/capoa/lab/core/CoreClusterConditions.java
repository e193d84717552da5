package io.capoa.lab.core;

import io.capoa.api.contract.Cluster;
import io.capoa.lab.controller.WorkingCopy;
import java.util.Set;

/** Computes phase and summary conditions of a Cluster from its other fields. */
final class CoreClusterConditions {

    private CoreClusterConditions() {}

    /** Writes them; {@code connected} says whether the workload cluster's API is reachable. */
    static void write(WorkingCopy<Cluster> working, boolean connected) {
        boolean initialized = working.isTrue("status", "initialization", "controlPlaneInitialized");
        working.condition(
                "ControlPlaneInitialized",
                initialized ? "True" : "False",
                initialized ? "Initialized" : "NotInitialized",
                initialized ? "" : "Control plane not yet initialized");
        working.condition(
                "RemoteConnectionProbe",
                connected ? "True" : "False",
                connected ? "ProbeSucceeded" : "ProbeFailed",
                connected ? "" : "Remote connection not established yet");
        boolean ready = working.isTrue("status", "initialization", "infrastructureProvisioned");
        working.deprecatedCondition(
                "InfrastructureReady", ready ? "True" : "False", "Info", "WaitingForInfrastructure");
        new Summary(working, Set.of("Deleting"))
                .of("Deleting")
                .of("RemoteConnectionProbe")
                .of("InfrastructureReady")
                .of("ControlPlaneAvailable")
                .of("WorkersAvailable")
                .into("Available");
        working.set(phase(working), "status", "phase");
    }

    /** The phase, by the rules of Cluster API. */
    static String phase(WorkingCopy<Cluster> working) {
        if (Contract.isDeleting(working.read())) {
            return "Deleting";
        }
        boolean endpoint =
                working.get("spec", "controlPlaneEndpoint", "host") instanceof String host && !host.isEmpty();
        if (working.isTrue("status", "initialization", "infrastructureProvisioned") && endpoint) {
            return "Provisioned";
        }
        boolean refers =
                working.get("spec", "infrastructureRef") != null || working.get("spec", "controlPlaneRef") != null;
        return refers ? "Provisioning" : "Pending";
    }
}
