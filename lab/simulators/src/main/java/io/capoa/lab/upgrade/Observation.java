package io.capoa.lab.upgrade;

import java.util.List;
import java.util.Map;

/**
 * What the cluster-version operator observes.
 *
 * @param operators fault of each cluster operator that has one
 * @param notUpgradeable conditions Upgradeable=False of the cluster, other than an update in progress
 * @param retrievalHeld whether no payload is retrieved at present
 * @param pools the machine config pools
 */
public record Observation(
        ClusterVersionSpec spec,
        AvailableUpdates updates,
        Releases releases,
        Map<String, OperatorFault> operators,
        List<Condition> notUpgradeable,
        boolean retrievalHeld,
        Pools pools) {

    /** What machine-config reports of its pools for the payload that is being applied. */
    public enum Pools {
        UPDATED,
        UPDATING,
        /** A required pool does not proceed. */
        STUCK,
        /** A pool is degraded. */
        DEGRADED
    }

    public Observation {
        operators = Map.copyOf(operators);
        notUpgradeable = List.copyOf(notUpgradeable);
    }

    /** The fault of an operator; that of machine-config includes its pools. */
    public OperatorFault faultOf(String operator) {
        OperatorFault own = operators.getOrDefault(operator, OperatorFault.NONE);
        if (own != OperatorFault.NONE || !operator.equals(Operators.MACHINE_CONFIG)) {
            return own;
        }
        return switch (pools) {
            case STUCK -> OperatorFault.STUCK;
            case DEGRADED -> OperatorFault.DEGRADED;
            default -> OperatorFault.NONE;
        };
    }
}
