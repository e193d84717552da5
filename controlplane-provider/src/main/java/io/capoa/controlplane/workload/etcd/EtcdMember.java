package io.capoa.controlplane.workload.etcd;

import java.util.Set;

/**
 * A member of etcd, from {@code etcdctl member list} and {@code endpoint health}.
 *
 * @param id in hexadecimal, as {@code etcdctl member remove} takes it
 * @param name of its node; empty for one that has not started yet
 * @param addresses of its peer URLs
 * @param learner whether it has no vote yet
 * @param healthy whether it answered
 */
public record EtcdMember(String id, String name, Set<String> addresses, boolean learner, boolean healthy) {

    /** Whether it votes and answers; one that has not started yet does not answer. */
    public boolean isHealthyVoter() {
        return healthy && !learner;
    }

    /** Its name or, where it has none yet, its ID. */
    public String label() {
        return name.isEmpty() ? id : name;
    }
}
