package io.capoa.lab.assisted;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/** Required number of hosts of each role; {@code spec.provisionRequirements}. */
record Requirements(int controlPlanes, int workers) {

    static Requirements of(GenericKubernetesResource install) {
        Integer masters = Fields.integer(install, "spec", "provisionRequirements", "controlPlaneAgents");
        Integer workers = Fields.integer(install, "spec", "provisionRequirements", "workerAgents");
        return new Requirements(masters == null ? 0 : masters, workers == null ? 0 : workers);
    }

    int total() {
        return controlPlanes + workers;
    }

    boolean isSingleNode() {
        return controlPlanes == 1 && workers == 0;
    }
}
