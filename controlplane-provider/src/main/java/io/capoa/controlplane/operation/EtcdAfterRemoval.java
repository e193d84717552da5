package io.capoa.controlplane.operation;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.etcd.Membership;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether etcd keeps its majority without an unhealthy Machine's member, and can take another one. */
final class EtcdAfterRemoval {

    private static final int SMALLEST_THAT_GROWS = 3;

    private EtcdAfterRemoval() {}

    /** Whether the Machine's member is known to be broken. */
    static boolean isBroken(EtcdState etcd, Machine machine) {
        return etcd.membership() != null
                && etcd.membership().members().stream().anyMatch(member -> isOf(member, machine) && !member.healthy());
    }

    /** Why the Machine must not be removed; empty if it may be. */
    static Optional<Blocker> blocker(Situation situation, Machine machine, EtcdState etcd) {
        EtcdHealth health = etcd.health();
        Membership membership = etcd.membership();
        if (!health.reached()) {
            return Optional.of(Remediation.deferred(
                    "the API of the cluster does not answer (%s): restore its majority of control plane hosts"
                            .formatted(health.words())));
        }
        if (membership == null) {
            return Optional.of(Remediation.deferred("the members of etcd are not known: " + etcd.unknown()));
        }
        List<EtcdMember> others = others(membership, machine);
        String learners = others.stream()
                .filter(EtcdMember::learner)
                .map(EtcdMember::label)
                .sorted()
                .collect(Collectors.joining(", "));
        if (!learners.isEmpty()) {
            return Optional.of(Remediation.deferred("etcd member %s is still being added".formatted(learners)));
        }
        List<EtcdMember> broken =
                others.stream().filter(member -> !member.healthy()).toList();
        if (others.size() - broken.size() < others.size() / 2 + 1) {
            return Optional.of(
                    Remediation.cannot("etcd would lose its majority, since member %s is unhealthy too: repair a host"
                            .formatted(broken.stream()
                                    .map(EtcdMember::label)
                                    .sorted()
                                    .collect(Collectors.joining(", ")))));
        }
        String last = etcd.components()
                .withoutBroken(situation.machines().staying().without(machine).nodes());
        if (last != null) {
            return Optional.of(Remediation.cannot(last));
        }
        return !needsGuardOverridden(situation, machine, membership) || situation.mayOverrideGuardFor(machine)
                ? Optional.empty()
                : Optional.of(Remediation.cannot(
                        ("with %d members left, the quorum guard of the etcd operator keeps a replacement out: repair"
                                        + " the host, or let the guard be overridden, by annotation %s on the Machine"
                                        + " or by spec.remediation.overrideEtcdQuorumGuard for all of them: until the"
                                        + " replacement has joined, one more failure costs the cluster its majority")
                                .formatted(others.size(), Annotations.OVERRIDE_QUORUM_GUARD)));
    }

    /** Whether the etcd operator would add no replacement to the members that are left without the Machine's. */
    static boolean needsGuardOverridden(Situation situation, Machine machine, Membership membership) {
        Integer replicas = situation.replicas();
        return replicas != null
                && replicas >= SMALLEST_THAT_GROWS
                && others(membership, machine).size() < SMALLEST_THAT_GROWS;
    }

    private static List<EtcdMember> others(Membership membership, Machine machine) {
        return membership.members().stream()
                .filter(member -> !isOf(member, machine))
                .toList();
    }

    /** A member that has not started yet has no name, only the address at which it is expected. */
    private static boolean isOf(EtcdMember member, Machine machine) {
        return member.name().isEmpty()
                ? MachineView.of(machine).addresses().stream()
                        .anyMatch(address -> member.addresses().contains(address.address()))
                : member.name().equals(MachineView.of(machine).nodeName());
    }
}
