package io.capoa.bootstrap.infrastructure;

import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;

/**
 * Any provider of the Cluster API v1beta2 contract. It needs no informer: Cluster API core copies to the Machine what is
 * read.
 */
final class ContractProvider implements InfrastructureProvider {

    @Override
    public boolean provides(ContractReference infrastructureMachine) {
        return true;
    }

    @Override
    public Infrastructure of(Machine machine, String name) {
        return new ContractInfrastructure(MachineView.of(machine).isInfrastructureProvisioned());
    }
}
