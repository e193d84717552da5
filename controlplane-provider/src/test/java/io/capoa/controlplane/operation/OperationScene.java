package io.capoa.controlplane.operation;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Arbiters;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.machines.Stage;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.etcd.Membership;
import io.capoa.controlplane.workload.etcd.Membership.EtcdPod;
import io.capoa.controlplane.workload.etcd.OpenshiftMachine;
import io.capoa.controlplane.workload.health.ControlPlaneComponents;
import io.capoa.controlplane.workload.health.EtcdState;
import io.capoa.controlplane.workload.health.OperatorHealth;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A control plane with Machines, and its etcd, as an operation is decided from them. */
final class OperationScene {

    static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    /** A Machine with its host. */
    static final class Host {
        final String name;
        final Instant created;
        final Map<String, String> annotations = new HashMap<>();
        boolean joined = true;
        boolean member = true;
        boolean on = true;
        boolean deleting;
        boolean unhealthy;
        boolean outdated;
        /** Whether its member was added, but has not started. */
        boolean learner;
        /** UID of the control plane whose Machine it is. */
        String owner = "u";
        /** Whether kube-apiserver runs while the host does. */
        boolean serves = true;

        Host(String name, Instant created) {
            this.name = name;
            this.created = created;
        }
    }

    final List<Host> hosts = new ArrayList<>();
    String settings = "";
    int replicas;
    Stage stage = Stage.AFTER;
    boolean upgrading;
    String updatingNodes = "";

    @Nullable
    String topologyVersion;

    @Nullable
    RemediationRecord inProgress;

    boolean singleNode;
    boolean retryDue;
    Instant now = NOW;
    /** Control plane Machines of the cluster's own Machine API. */
    final List<OpenshiftMachine> ownMachines = new ArrayList<>();

    OperatorHealth operator = new OperatorHealth("kube-apiserver", true, false, "");

    private final Map<String, ControlPlaneIdentity> identities = new HashMap<>();
    private int count;

    OperationScene(int replicas) {
        this.replicas = replicas;
        for (int n = 0; n < replicas; n++) {
            add();
        }
    }

    Host add() {
        Host host = new Host("m-" + count, NOW.minusSeconds(100_000 - count));
        count++;
        hosts.add(host);
        return host;
    }

    /** A Machine whose host is not installed yet. */
    Host create() {
        Host host = new Host("m-" + count++, now);
        host.joined = false;
        host.member = false;
        hosts.add(host);
        return host;
    }

    /** Creates what the operation asks for, of the role that it asks for. */
    Host create(Action.Create wanted) {
        Host host = create();
        if (wanted.arbiters() > 0) {
            host.annotations.put(Annotations.BMAC_ROLE, Arbiters.ROLE);
        }
        return host;
    }

    Host host(int n) {
        return hosts.get(n);
    }

    /** The operation after the cluster has been asked. */
    Operation next() {
        return Operation.next(situation(), etcd());
    }

    Situation situation() {
        Set<String> outdated = hosts.stream()
                .filter(host -> host.outdated)
                .map(host -> host.name)
                .collect(Collectors.toSet());
        Machines machines =
                Machines.of(hosts.stream().map(OperationScene::machine).toList());
        return new Situation(
                identity(),
                machines,
                stage,
                singleNode,
                retryDue,
                upgrading,
                updatingNodes,
                topologyVersion,
                machines.staying()
                        .filter(machine ->
                                outdated.contains(machine.getMetadata().getName())),
                now);
    }

    /** An idle control plane whose number of Machines may differ from {@code replicas}; null if that is not set. */
    static Situation resized(@Nullable Integer replicas, Machines machines, Stage stage) {
        return new Situation(
                Objects.identity("{}", "", "replicas: " + replicas),
                machines,
                stage,
                false,
                false,
                false,
                "",
                null,
                Machines.of(),
                Instant.EPOCH);
    }

    /** The state of etcd with this health, unknown members and a healthy kube-apiserver; null without a health. */
    static @Nullable EtcdState etcd(@Nullable EtcdHealth health) {
        return health == null
                ? null
                : new EtcdState(
                        health,
                        null,
                        "",
                        new ControlPlaneComponents(
                                List.of(new OperatorHealth("kube-apiserver", true, false, "")), Map.of()));
    }

    private ControlPlaneIdentity identity() {
        return identities.computeIfAbsent(replicas + settings + inProgress, key -> read());
    }

    private ControlPlaneIdentity read() {
        OpenshiftAssistedControlPlane controlPlane =
                Objects.read(OpenshiftAssistedControlPlane.class, """
                        metadata: {name: cp, uid: u}
                        spec:
                          distributionVersion: 4.20.3
                          replicas: %d
                          machineTemplate: {spec: {infrastructureRef: {apiGroup: a, kind: T, name: t}}}
                          %s
                        """.formatted(replicas, settings));
        if (inProgress != null) {
            controlPlane.getMetadata().setAnnotations(Map.of(Annotations.REMEDIATION_IN_PROGRESS, inProgress.value()));
        }
        return new ControlPlaneIdentity(controlPlane, "one");
    }

    @Nullable
    EtcdState etcd() {
        List<Host> voters = hosts.stream().filter(host -> host.member).toList();
        long healthy = voters.stream().filter(host -> host.on).count();
        if (healthy <= voters.size() / 2) {
            return new EtcdState(
                    new EtcdHealth(false, false, false, false, EtcdHealth.UNKNOWN, "no answer"),
                    null,
                    "",
                    ControlPlaneComponents.UNKNOWN);
        }
        List<EtcdMember> members = Stream.concat(
                        voters.stream().map(host -> new EtcdMember(host.name, host.name, Set.of(), false, host.on)),
                        hosts.stream()
                                .filter(host -> host.learner)
                                .map(host -> new EtcdMember(host.name, "", Set.of(host.name), true, false)))
                .toList();
        return new EtcdState(
                new EtcdHealth(
                        true,
                        true,
                        healthy < voters.size(),
                        members.size() > voters.size(),
                        members.size(),
                        "as it is"),
                new Membership(
                        members,
                        List.of(),
                        voters.stream()
                                .map(host -> new EtcdPod(host.name, host.name))
                                .toList(),
                        ownMachines),
                "",
                components());
    }

    private ControlPlaneComponents components() {
        return new ControlPlaneComponents(
                List.of(operator),
                hosts.stream()
                        .filter(host -> host.joined)
                        .collect(Collectors.toMap(host -> host.name, host -> host.on && host.serves)));
    }

    static Machine machine(Host host) {
        List<Map<String, Object>> conditions = new ArrayList<>();
        conditions.add(condition("Ready", host.joined && host.on));
        if (host.unhealthy) {
            conditions.add(condition("HealthCheckSucceeded", false));
            conditions.add(condition("OwnerRemediated", false));
        }
        Machine machine = new Machine();
        machine.setMetadata(new ObjectMetaBuilder()
                .withNamespace("ns")
                .withName(host.name)
                .withUid("uid-" + host.name)
                .withCreationTimestamp(host.created.toString())
                .withDeletionTimestamp(host.deleting ? NOW.toString() : null)
                .withAnnotations(new HashMap<>(host.annotations))
                .addNewOwnerReference()
                .withKind("OpenshiftAssistedControlPlane")
                .withName("cp")
                .withUid(host.owner)
                .withController(true)
                .endOwnerReference()
                .build());
        machine.setAdditionalProperty(
                "status",
                Map.of(
                        "nodeRef",
                        host.joined ? Map.of("name", host.name) : Map.of(),
                        "addresses",
                        List.of(Map.of("type", "InternalIP", "address", host.name)),
                        "conditions",
                        conditions));
        return machine;
    }

    private static Map<String, Object> condition(String type, boolean status) {
        return Map.of("type", type, "status", status ? "True" : "False", "reason", "R", "message", "");
    }
}
