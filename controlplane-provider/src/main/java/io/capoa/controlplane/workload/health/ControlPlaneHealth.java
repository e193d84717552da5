package io.capoa.controlplane.workload.health;

import io.capoa.controlplane.workload.client.ClusterCertificates;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import java.util.List;

/**
 * Health of an installed control plane, as its cluster reports it at one time; wrapped in {@link Observed} it says when.
 * Two snapshots of an unchanged control plane are equal.
 *
 * @param api whether the API server takes requests
 * @param etcd unknown while the API server takes none
 * @param nodes control plane Nodes by name; empty while the API server takes no requests
 * @param operators ClusterOperators that carry the control plane, by name; empty while the API server takes no requests
 * @param certificates of the connection, of the latest query
 */
public record ControlPlaneHealth(
        Api api, Etcd etcd, List<NodeHealth> nodes, List<OperatorHealth> operators, ClusterCertificates certificates) {

    /** All that is known is that the API server takes requests. */
    public static final ControlPlaneHealth SERVING =
            new ControlPlaneHealth(Api.READY, Etcd.unread(""), List.of(), List.of());

    /**
     * Readiness of the API server.
     *
     * @param failure why it takes no requests; empty if it does
     * @param etcdFailed whether it says that it cannot use etcd
     * @param refused whether it is there, but does not accept the kubeconfig, or is not accepted by it
     */
    public record Api(String failure, boolean etcdFailed, boolean refused) {

        static final Api READY = new Api("", false);

        public Api(String failure, boolean etcdFailed) {
            this(failure, etcdFailed, false);
        }

        public static Api refused(String failure) {
            return new Api(failure, false, true);
        }

        public boolean ready() {
            return failure.isEmpty();
        }
    }

    /**
     * Members of etcd.
     *
     * @param members by name, from a live list; empty if they could not be listed
     * @param unknown why they could not be listed; empty if they were, or were not asked for
     * @param operatorSeesMajority whether the etcd operator does not report that the majority is lost
     */
    public record Etcd(List<EtcdMember> members, String unknown, boolean operatorSeesMajority) {

        public Etcd {
            members = List.copyOf(members);
        }

        static Etcd unread(String why) {
            return new Etcd(List.of(), why, true);
        }

        /** Whether a majority of the voting members answers, as far as it is known. */
        public boolean hasMajority() {
            if (members.isEmpty()) {
                return operatorSeesMajority;
            }
            long voters = members.stream().filter(member -> !member.learner()).count();
            long healthy = members.stream()
                    .filter(member -> !member.learner() && member.healthy())
                    .count();
            return healthy > voters / 2;
        }
    }

    /** Without certificates. */
    ControlPlaneHealth(Api api, Etcd etcd, List<NodeHealth> nodes, List<OperatorHealth> operators) {
        this(api, etcd, nodes, operators, ClusterCertificates.UNKNOWN);
    }

    public ControlPlaneHealth {
        nodes = List.copyOf(nodes);
        operators = List.copyOf(operators);
    }

    /** The snapshot of a cluster whose API server takes no requests. */
    public static ControlPlaneHealth lost(Api api) {
        return new ControlPlaneHealth(api, Etcd.unread(api.failure()), List.of(), List.of());
    }

    /** The same with other certificates. */
    public ControlPlaneHealth with(ClusterCertificates latest) {
        return new ControlPlaneHealth(api, etcd, nodes, operators, latest);
    }

    /** Whether more was asked for than whether the API server takes requests. */
    public boolean isWhole() {
        return !with(ClusterCertificates.UNKNOWN).equals(SERVING);
    }

    /** What the cluster cannot work without and has lost. */
    public Loss loss() {
        if (api.etcdFailed() || (api.ready() && !etcd.hasMajority())) {
            return Loss.ETCD_MAJORITY;
        }
        return api.ready() ? Loss.NONE : api.refused() ? Loss.ACCESS : Loss.API_SERVER;
    }

    /** Whether all that is known of it is as it shall be. */
    boolean isWell() {
        return loss() == Loss.NONE
                && !etcd.members().isEmpty()
                && etcd.members().stream().allMatch(member -> member.healthy() && !member.learner())
                && nodes.stream().allMatch(NodeHealth::ready)
                && operators.stream().allMatch(OperatorHealth::healthy);
    }

    /** A part without which a cluster takes no requests. */
    public enum Loss {
        NONE,
        API_SERVER,
        /** The API server may take requests, but not with this kubeconfig. */
        ACCESS,
        ETCD_MAJORITY
    }
}
