package io.capoa.controlplane.workload.etcd;

import org.jspecify.annotations.Nullable;

/**
 * Health of etcd: what the cluster's etcd operator reports (ClusterOperator {@code etcd} and the conditions of
 * {@code etcds.operator.openshift.io/cluster}), and how many members a live list shows.
 *
 * @param reached whether the cluster's API answered
 * @param available ClusterOperator Available is True and EtcdMembersAvailable is not False
 * @param degraded ClusterOperator Degraded is True or EtcdMembersDegraded is True
 * @param progressing ClusterOperator Progressing is True
 * @param members how many members it has; {@link #UNKNOWN} if they could not be listed
 * @param words what the operator reports, or why the members are not known; one line
 */
public record EtcdHealth(
        boolean reached, boolean available, boolean degraded, boolean progressing, int members, String words) {

    /** Number of members where they could not be listed. */
    public static final int UNKNOWN = -1;

    private static final String BEHIND_GUARD =
            ", to two members only while spec.remediation.overrideEtcdQuorumGuard overrides its quorum guard";

    public EtcdHealth withMembers(int listed) {
        return new EtcdHealth(reached, available, degraded, progressing, listed, words);
    }

    public EtcdHealth withUnknownMembers(String why) {
        return new EtcdHealth(reached, available, degraded, progressing, UNKNOWN, why);
    }

    public static EtcdHealth unreachable(String words) {
        return new EtcdHealth(false, false, false, false, UNKNOWN, words);
    }

    /**
     * Why no member may go now; {@code null} if one may.
     *
     * @param votes whether the member that is to go is a healthy one with a vote; another one, or a host without a member, may
     *     be what degrades etcd, and what its operator tries to change
     */
    public @Nullable String obstacle(boolean votes) {
        String lost = obstacle();
        if (lost != null || !votes) {
            return lost;
        }
        return degraded ? "etcd is degraded: " + words : progressing ? changing() : null;
    }

    /** Why no member may join now; {@code null} if one may. It may repair a degraded etcd. */
    public @Nullable String obstacleToJoining() {
        String lost = obstacle();
        return lost != null ? lost : progressing ? changing() : null;
    }

    private @Nullable String obstacle() {
        if (!reached) {
            return "the API of the cluster does not answer: " + words;
        }
        return available ? null : "etcd is not available: " + words;
    }

    private String changing() {
        return "etcd is being changed: " + words;
    }

    /** That not every Machine's node is a member yet, or that this is not known; {@code null} if all are. */
    public @Nullable String missingMembers(int machines) {
        if (members == UNKNOWN) {
            return "the members of etcd are not known: " + words;
        }
        return members >= machines
                ? null
                : "etcd has %d members, and there are %d Machines: the cluster's etcd operator adds what is missing%s"
                        .formatted(members, machines, members == 2 ? BEHIND_GUARD : "");
    }

    /** Whether a query for it need not be asked again, with a member on each of so many Machines. */
    public boolean isGood(int machines) {
        return obstacle(true) == null && missingMembers(machines) == null;
    }
}
