package io.capoa.lab.endurance;

import io.capoa.lab.provider.Provider;
import java.time.Duration;

/**
 * A planned fault.
 *
 * @param number of the plan, from 1
 * @param provider whose writes are counted, and which is hit if the kind hits a provider
 * @param afterWrites it strikes at this write of the provider after the fault before; sooner or later if there are fewer
 * @param length of a freeze or an outage; zero for a kill
 */
public record Fault(int number, Kind kind, Provider provider, int afterWrites, Duration length) {

    /** What happens, and to which process. */
    public enum Kind {
        /** A leader's process and pod are gone, and so is its Lease: the standby leads at once. */
        KILL_LEADER(8),
        /** The same, but its Lease has to expire. */
        KILL_LEADER_AND_KEEP_LEASE(2),
        KILL_STANDBY(2),
        /** Leader and standby at once. */
        KILL_ALL(2),
        /** SIGSTOP, then SIGCONT: a long one deposes the leader. */
        FREEZE_LEADER(2),
        KILL_API_SERVER(1),
        KILL_ETCD(1),
        FREEZE_API_SERVER(1),
        /** All connections to all workload clusters break. */
        INTERRUPT_WORKLOADS(2);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }

        /** Share of the faults. */
        int weight() {
            return weight;
        }

        /** Whether a process ends. */
        public boolean isKill() {
            return name().startsWith("KILL");
        }
    }

    @Override
    public String toString() {
        return "%s of %s at its write %d%s"
                .formatted(
                        kind,
                        provider.module(),
                        afterWrites,
                        length.isZero() ? "" : ", for " + length.toMillis() + " ms");
    }
}
