package io.capoa.controlplane.workload;

import org.jspecify.annotations.Nullable;

/**
 * State of a workload cluster's etcd.
 *
 * @param health what its etcd operator reports
 * @param membership {@code null} where the members could not be listed: then it is unknown, whatever the operator reports
 * @param unknown why there is no membership; empty where there is one
 */
public record EtcdState(EtcdHealth health, @Nullable Membership membership, String unknown) {

    /** Whether the cluster is known to ignore one more host than it has, see {@link Membership#ignoresNewHost}. */
    public boolean ignoresNewHost(int hosts) {
        return membership != null && membership.ignoresNewHost(hosts);
    }

    static EtcdState unreachable(String message) {
        return new EtcdState(EtcdHealth.unreachable(message), null, message);
    }
}
