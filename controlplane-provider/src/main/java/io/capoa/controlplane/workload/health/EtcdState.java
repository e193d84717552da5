package io.capoa.controlplane.workload.health;

import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.etcd.Membership;
import org.jspecify.annotations.Nullable;

/**
 * State of a workload cluster's etcd, and of what uses it on the same hosts.
 *
 * @param health what its etcd operator reports
 * @param membership {@code null} where the members could not be listed: then it is unknown, whatever the operator reports
 * @param unknown why there is no membership; empty where there is one
 * @param components unknown where there is no membership
 */
public record EtcdState(
        EtcdHealth health, @Nullable Membership membership, String unknown, ControlPlaneComponents components) {

    /** Whether the Machine's Node has a healthy member with a vote. */
    public boolean votes(Machine machine) {
        String node = MachineView.of(machine).nodeName();
        return membership != null
                && membership.members().stream()
                        .anyMatch(member -> member.name().equals(node) && member.isHealthyVoter());
    }

    /** Whether all is as it shall be, with a member on each of so many Machines. */
    public boolean isGood(int machines) {
        return health.isGood(machines) && components.isGood();
    }

    /** Whether the cluster is known to ignore one more host than it has, see {@link Membership#ignoresNewHost}. */
    public boolean ignoresNewHost(int hosts) {
        return membership != null && membership.ignoresNewHost(hosts);
    }

    public static EtcdState unreachable(String message) {
        return unknown(EtcdHealth.unreachable(message), message);
    }

    /** The state without a list of members. */
    public static EtcdState unknown(EtcdHealth health, String why) {
        return new EtcdState(health.withUnknownMembers(why), null, why, ControlPlaneComponents.UNKNOWN);
    }
}
