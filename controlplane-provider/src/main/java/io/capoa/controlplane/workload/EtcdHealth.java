package io.capoa.controlplane.workload;

import org.jspecify.annotations.Nullable;

/**
 * How etcd is, in the words of the cluster's own etcd operator: ClusterOperator {@code etcd} and the conditions of
 * {@code etcds.operator.openshift.io/cluster}.
 *
 * @param reached whether the cluster's API answered
 * @param available ClusterOperator Available is True and EtcdMembersAvailable is not False
 * @param degraded ClusterOperator Degraded is True or EtcdMembersDegraded is True
 * @param progressing ClusterOperator Progressing is True
 * @param words what the operator says of it, one line
 */
public record EtcdHealth(boolean reached, boolean available, boolean degraded, boolean progressing, String words) {

    static EtcdHealth unreachable(String words) {
        return new EtcdHealth(false, false, false, false, words);
    }

    /**
     * Why no member may go now; {@code null} if one may.
     *
     * @param healthy whether the member that is to go is a healthy one; a broken one may be what degrades etcd
     */
    public @Nullable String obstacle(boolean healthy) {
        if (!reached) {
            return "the API of the cluster does not answer: " + words;
        }
        if (!available) {
            return "etcd is not available: " + words;
        }
        if (healthy && degraded) {
            return "etcd is degraded: " + words;
        }
        return progressing ? "etcd is being changed: " + words : null;
    }

    /** Whether a question for it need not be asked again. */
    public boolean isGood() {
        return obstacle(true) == null;
    }
}
