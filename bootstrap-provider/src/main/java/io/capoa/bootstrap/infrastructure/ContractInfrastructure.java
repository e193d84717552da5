package io.capoa.bootstrap.infrastructure;

import io.capoa.api.contract.Agent;
import java.util.List;

/**
 * An infrastructure machine of any provider of the Cluster API v1beta2 contract: only its progress is known, and its
 * host boots with the bootstrap data.
 *
 * @param isProvisioned whether the Machine's infrastructure is provisioned
 */
public record ContractInfrastructure(boolean isProvisioned) implements Infrastructure {

    @Override
    public boolean isTaken(List<Agent> registered) {
        return isProvisioned || !registered.isEmpty();
    }
}
