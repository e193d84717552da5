package io.capoa.lab.core;

/**
 * Replicas of the new and the old MachineSets at a step of a RollingUpdate in place. Machines of old MachineSets are
 * moved instead of deleted, so the new one grows by what it has received, and by new Machines only within the surge.
 */
record InPlaceRollout(int newReplicas, int oldReplicas) {

    /**
     * The next step.
     *
     * @param newSet replicas of the new MachineSet, or its Machines if they are more
     * @param oldReplicas replicas of all old MachineSets
     * @param oldMachines their Machines
     * @param available Machines of all MachineSets that are available and not updating
     */
    static InPlaceRollout next(
            int wanted, int maxSurge, int maxUnavailable, int newSet, int oldReplicas, int oldMachines, int available) {
        int surge = Math.max(0, wanted + maxSurge - newSet - oldMachines);
        int moving = Math.max(0, oldMachines - oldReplicas);
        int spare = Math.max(0, available - (wanted - maxUnavailable) - moving);
        return new InPlaceRollout(newSet + surge, Math.max(0, oldReplicas - spare));
    }
}
