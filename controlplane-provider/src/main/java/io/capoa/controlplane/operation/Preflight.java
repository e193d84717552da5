package io.capoa.controlplane.operation;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.ReportedCause;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has to be well before an operation changes an installed control plane, as in the preflight checks of
 * KubeadmControlPlane: no Machine is being deleted, all Nodes have joined and are Ready, etcd has a member on each and is at
 * rest, the Kubernetes components are well, and the Cluster's topology has no other version to come. An operation is excused
 * only from what it repairs. The cluster is asked once the Machines permit the operation.
 */
public final class Preflight {

    private static final String INFRASTRUCTURE_READY = "InfrastructureReady";

    /** Nothing makes a Machine of the cluster's own Machine API after the installation. */
    private static final String OWN_MACHINE_MISSING =
            ("the cluster's own Machine API is functional, and its etcd operator ignores a host without a Machine there:"
                    + " create a Machine and a BareMetalHost for the new host in namespace openshift-machine-api first");

    private Preflight() {}

    /**
     * The creation of a Machine, or why it has to wait. A new member may repair a degraded etcd, and the removal of a Machine
     * may need it first.
     *
     * @param etcd the cluster's answer; {@code null} if it has not been asked
     */
    static Action creation(Situation situation, @Nullable EtcdState etcd, Action.Create wanted) {
        Machines all = situation.machines();
        Machines staying = all.staying();
        Machines deleting = all.deleting();
        String unwell = first(joining(staying), unready(staying, ", or delete it so that it is replaced"));
        if (unwell != null || etcd == null) {
            return unwell == null ? new Action.Ask() : new Action.Defer(unwell);
        }
        EtcdHealth health = etcd.health();
        // A removal that needs a new member first would block both forever.
        boolean held = health.members() != EtcdHealth.UNKNOWN
                && deleting.stream()
                        .anyMatch(machine ->
                                health.members() <= situation.floor(machine).healthy());
        return unless(
                first(
                        health.obstacleToJoining(),
                        // Deleted Machines count: fewer members mean that one has just left, or not joined yet.
                        health.missingMembers(all.size()),
                        held ? null : deleting(deleting),
                        ignored(all, etcd),
                        situation.pendingTopology(),
                        etcd.components()
                                .obstacle(
                                        staying.nodes(),
                                        deleting.nodes(),
                                        deleting.stream().anyMatch(machine -> !etcd.votes(machine)))),
                wanted);
    }

    /**
     * The deletion of a Machine that is not needed, or why it has to wait. A Machine that is not well may be what degrades the
     * cluster.
     *
     * @param etcd the cluster's answer; {@code null} if it has not been asked
     */
    static Action deletion(Situation situation, @Nullable EtcdState etcd, Machine machine) {
        Machines all = situation.machines();
        Machines others = all.without(machine);
        String unwell = first(
                deleting(all.deleting()),
                joining(others),
                unready(
                        others,
                        ", or mark it with annotation %s to delete it first".formatted(Annotations.DELETE_MACHINE)));
        if (unwell != null || etcd == null) {
            return unwell == null ? new Action.Ask() : new Action.Defer(unwell);
        }
        EtcdHealth health = etcd.health();
        boolean ready = MachineView.of(machine).isReady();
        boolean votes = etcd.votes(machine);
        boolean well = ready && (votes || etcd.membership() == null);
        return unless(
                first(
                        health.obstacle(well),
                        well || health.members() == EtcdHealth.UNKNOWN ? health.missingMembers(all.size()) : null,
                        situation.pendingTopology(),
                        etcd.components()
                                .obstacle(others.nodes(), Machines.of(machine).nodes(), !ready || !votes)),
                new Action.Delete(machine));
    }

    /** Why an unhealthy Machine is not replaced before the cluster has been asked; empty if nothing prevents it. */
    static Optional<Blocker> replacement(Situation situation, Machine machine) {
        String operation = first(
                situation.upgrading() ? "the cluster is being upgraded" : null,
                situation.pendingTopology(),
                situation.updatingNodes().isEmpty()
                        ? null
                        : "nodes of the cluster are being updated and restart: MachineConfigPool "
                                + situation.updatingNodes());
        if (operation != null) {
            return Optional.of(Remediation.deferred(operation));
        }
        Machines others = situation.machines().staying().without(machine);
        if (others.isEmpty()) {
            return Optional.of(Remediation.cannot("it is the only Machine of the control plane: repair its host"));
        }
        return Optional.ofNullable(first(
                        deleting(situation.machines().deleting()),
                        joining(others.filter(other -> !UnhealthyMachine.isFailed(other)))))
                .map(Remediation::deferred);
    }

    /** Why an unhealthy Machine is not replaced, by the cluster's answer; empty if nothing prevents it. */
    static Optional<Blocker> replacement(Situation situation, Machine machine, EtcdState etcd) {
        String ignored = ignored(situation.machines(), etcd);
        return ignored == null
                ? EtcdAfterRemoval.blocker(situation, machine, etcd)
                : Optional.of(Remediation.cannot(ignored));
    }

    /** Why the release must not be changed; {@code null} if the Machines permit it. */
    public static @Nullable String upgrade(Machines machines) {
        return first(deleting(machines.deleting()), unready(machines, ""));
    }

    /** Why the release must not be changed, by the answer of etcd; {@code null} if that permits it. */
    public static @Nullable String upgrade(Machines machines, EtcdHealth etcd) {
        return first(etcd.obstacle(true), etcd.missingMembers(machines.size()));
    }

    private static @Nullable String deleting(Machines deleting) {
        return deleting.isEmpty() ? null : "Machine %s is still being deleted".formatted(names(deleting));
    }

    /** Names the Machines without a Node, and what their infrastructure provider waits for, such as a free host. */
    private static @Nullable String joining(Machines machines) {
        Machines joining = machines.joining();
        return joining.isEmpty()
                ? null
                : joining.stream()
                        .map(machine -> "Machine " + machine.getMetadata().getName() + " has no node yet"
                                + infrastructure(machine))
                        .sorted()
                        .collect(Collectors.joining("; "));
    }

    /** What the infrastructure provider of a Machine waits for, in brackets; empty if it does not say. */
    static String infrastructure(Machine machine) {
        return MachineView.of(machine)
                .condition(INFRASTRUCTURE_READY)
                .filter(condition -> !condition.isTrue())
                .map(condition -> reported(condition.message()))
                .filter(message -> !message.isEmpty())
                .map(message -> " (" + message + ")")
                .orElse("");
    }

    /** A summary of conditions as one line, without those of which nothing is known yet. */
    private static String reported(String summary) {
        return summary.lines()
                .filter(line -> !line.isBlank() && !line.endsWith("Condition not yet reported"))
                .map(line -> ReportedCause.of(line.replaceFirst("^\\s*\\* ", "")))
                .collect(Collectors.joining("; "));
    }

    /** @param alternative to its repair */
    private static @Nullable String unready(Machines machines, String alternative) {
        Machines unready = machines.unready();
        return unready.isEmpty() ? null : "Machine %s is not Ready: repair it%s".formatted(names(unready), alternative);
    }

    /** Whether a host that joins would never become a member of etcd. */
    private static @Nullable String ignored(Machines all, EtcdState etcd) {
        return etcd.ignoresNewHost(all.size()) ? OWN_MACHINE_MISSING : null;
    }

    private static String names(Machines machines) {
        return String.join(", ", machines.names());
    }

    private static @Nullable String first(@Nullable String... obstacles) {
        return Stream.of(obstacles).filter(Objects::nonNull).findFirst().orElse(null);
    }

    private static Action unless(@Nullable String obstacle, Action wanted) {
        return obstacle == null ? wanted : new Action.Defer(obstacle);
    }
}
