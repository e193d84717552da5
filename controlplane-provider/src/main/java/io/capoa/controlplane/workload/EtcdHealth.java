package io.capoa.controlplane.workload;

import io.capoa.api.Annotations;
import org.jspecify.annotations.Nullable;

/**
 * How etcd is, in the words of the cluster's own etcd operator: ClusterOperator {@code etcd} and the conditions of
 * {@code etcds.operator.openshift.io/cluster}.
 *
 * @param reached whether the cluster's API answered
 * @param available ClusterOperator Available is True and EtcdMembersAvailable is not False
 * @param degraded ClusterOperator Degraded is True or EtcdMembersDegraded is True
 * @param progressing ClusterOperator Progressing is True
 * @param members how many members it has; {@link #UNKNOWN} if the cluster does not tell
 * @param words what the operator says of it, one line
 */
public record EtcdHealth(
        boolean reached, boolean available, boolean degraded, boolean progressing, int members, String words) {

    /** Number of members where the cluster does not tell. */
    public static final int UNKNOWN = -1;

    static EtcdHealth unreachable(String words) {
        return new EtcdHealth(false, false, false, false, UNKNOWN, words);
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

    /** That not every Machine's node is a member yet; {@code null} if all are, or nothing is known of it. */
    public @Nullable String missingMembers(int machines) {
        return members == UNKNOWN || members >= machines
                ? null
                : "etcd has %d members, and there are %d Machines: the cluster's etcd operator adds what is missing"
                        .formatted(members, machines);
    }

    /** That one member less would be fewer than are needed; {@code null} if not, or nothing is known of it. */
    @Nullable
    String tooFewWithout(int remaining) {
        if (members == UNKNOWN || members > remaining) {
            return null;
        }
        return members == 1
                ? "it is the last member of etcd: delete the Cluster as a whole, or set annotation "
                        + Annotations.SKIP_ETCD_REMOVAL + " on the Machine to let it go all the same"
                : "etcd has %d members, and %d have to be left: another Machine has to join first"
                        .formatted(members, remaining);
    }

    /** Whether a question for it need not be asked again, with a member on each of so many Machines. */
    public boolean isGood(int machines) {
        return obstacle(true) == null && missingMembers(machines) == null;
    }
}
