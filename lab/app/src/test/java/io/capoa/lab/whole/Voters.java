package io.capoa.lab.whole;

import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.etcd.Membership;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.lab.workload.EtcdChange;
import java.util.Optional;

/** etcd of the sample's cluster at one moment. */
record Voters(int all, int healthy) {

    /** Empty while the members cannot be listed. */
    static Optional<Voters> of(String kubeconfig) {
        EtcdState etcd = InstalledCluster.etcdState(kubeconfig);
        Membership membership = etcd.membership();
        return Optional.ofNullable(membership)
                .map(Membership::members)
                .map(members -> new Voters(members.size(), (int)
                        members.stream().filter(EtcdMember::healthy).count()));
    }

    static Voters of(EtcdChange change) {
        return new Voters(change.members(), change.healthy());
    }

    boolean hasMajority() {
        return healthy > all / 2;
    }

    @Override
    public String toString() {
        return healthy + "/" + all;
    }
}
