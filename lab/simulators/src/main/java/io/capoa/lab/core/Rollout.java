package io.capoa.lab.core;

/**
 * Replicas of the new and the old MachineSets at a step of a RollingUpdate: never more than {@code wanted + maxSurge}
 * in all, never fewer available than {@code wanted - maxUnavailable}.
 */
record Rollout(int newReplicas, int oldReplicas) {

    /**
     * @param current replicas of the new MachineSet
     * @param old replicas of all old MachineSets
     * @param available available Machines of all MachineSets
     */
    static Rollout next(int wanted, int maxSurge, int maxUnavailable, int current, int old, int available) {
        if (old == 0) {
            return new Rollout(wanted, 0);
        }
        int room = wanted + maxSurge - old;
        int grown = Math.max(Math.min(wanted, room), Math.min(current, wanted));
        int spare = available - (wanted - maxUnavailable);
        int left = Math.max(0, old - Math.max(0, spare));
        return new Rollout(grown, left);
    }
}
