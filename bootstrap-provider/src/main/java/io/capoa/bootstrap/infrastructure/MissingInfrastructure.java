package io.capoa.bootstrap.infrastructure;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.Agent;
import io.capoa.bootstrap.agent.HostIdentity;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import java.util.Optional;

/** Infrastructure that is not known: the Machine names no infrastructure machine, or none that can be read. */
record MissingInfrastructure(String why) implements Infrastructure {

    @Override
    public Optional<String> missing() {
        return Optional.of(why);
    }

    @Override
    public boolean isTaken(List<Agent> registered) {
        return !registered.isEmpty();
    }

    @Override
    public boolean hasUserData() {
        return false;
    }

    @Override
    public Optional<HostPower> powerOff(boolean unhealthy) {
        return Optional.of(HostPower.waiting(why));
    }

    @Override
    public HostIdentity identity() {
        return new HostIdentity.Unknown(new Blocker(ConfigConditions.WAITING_FOR_INFRASTRUCTURE_MACHINE, why));
    }
}
