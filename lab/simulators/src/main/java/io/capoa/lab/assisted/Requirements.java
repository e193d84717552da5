package io.capoa.lab.assisted;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/** Required number of hosts of each role; {@code spec.provisionRequirements}. */
record Requirements(int controlPlanes, int arbiters, int workers) {

    Requirements(int controlPlanes, int workers) {
        this(controlPlanes, 0, workers);
    }

    static Requirements of(GenericKubernetesResource install) {
        Integer masters = Fields.integer(install, "spec", "provisionRequirements", "controlPlaneAgents");
        Integer workers = Fields.integer(install, "spec", "provisionRequirements", "workerAgents");
        Integer arbiters = Fields.integer(install, "spec", "provisionRequirements", "arbiterAgents");
        return new Requirements(
                masters == null ? 0 : masters, arbiters == null ? 0 : arbiters, workers == null ? 0 : workers);
    }

    int total() {
        return controlPlanes + arbiters + workers;
    }

    boolean isSingleNode() {
        return controlPlanes == 1 && arbiters + workers == 0;
    }
}
