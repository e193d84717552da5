package io.capoa.controlplane.workload.health;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.workload.client.WorkloadKinds;
import io.capoa.controlplane.workload.etcd.ClusterNode;
import io.capoa.controlplane.workload.etcd.EtcdCommands;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.etcd.Membership;
import io.capoa.controlplane.workload.etcd.Membership.EtcdPod;
import io.capoa.controlplane.workload.etcd.OpenshiftMachine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the health and the members of a workload cluster's etcd. It changes nothing. */
public final class EtcdReading {

    /** Roles of Nodes that etcd runs on, as the etcd operator knows them; no Node has two of them. */
    static final List<String> WITH_ETCD = List.of("node-role.kubernetes.io/master", "node-role.kubernetes.io/arbiter");

    private static final String MASTER = WITH_ETCD.getFirst();

    private static final String MACHINE_NAMESPACE = "openshift-machine-api";
    private static final String MACHINE_OF_MASTER = "machine.openshift.io/cluster-api-machine-role";
    private static final String NO_POD = "no etcd pod in namespace openshift-etcd is ready";
    private static final int ATTEMPTS = 2;
    private static final int LONGEST_MESSAGE = 600;

    private final KubernetesClient client;
    private final EtcdCommands commands;
    private final ComponentsReading components;

    public EtcdReading(KubernetesClient client) {
        this.client = client;
        this.commands = new EtcdCommands(client);
        this.components = new ComponentsReading(client);
    }

    /** The state; throws {@link KubernetesClientException} when the API does not answer. */
    public EtcdState state() {
        EtcdHealth health = health();
        List<EtcdPod> pods = pods();
        if (pods.isEmpty()) {
            return EtcdState.unknown(health, NO_POD);
        }
        String failure = "";
        for (EtcdPod pod : pods.subList(0, Math.min(ATTEMPTS, pods.size()))) {
            try {
                List<EtcdMember> members = commands.members(pod);
                List<GenericKubernetesResource> nodes = nodes();
                return new EtcdState(
                        health.withMembers(members.size()),
                        new Membership(
                                members, nodes.stream().map(ClusterNode::of).toList(), pods, machines()),
                        "",
                        components.of(nodes));
            } catch (EtcdCommands.CommandFailure e) {
                failure = String.valueOf(e.getMessage());
            }
        }
        return EtcdState.unknown(health, failure);
    }

    /** The members alone, for a report; throws {@link KubernetesClientException} when the API does not answer. */
    ControlPlaneHealth.Etcd members() {
        String failure = NO_POD;
        List<EtcdPod> pods = pods();
        for (EtcdPod pod : pods.subList(0, Math.min(ATTEMPTS, pods.size()))) {
            try {
                List<EtcdMember> members = commands.members(pod).stream()
                        .sorted(Comparator.comparing(EtcdMember::label))
                        .toList();
                return new ControlPlaneHealth.Etcd(members, "", true);
            } catch (EtcdCommands.CommandFailure e) {
                failure = String.valueOf(e.getMessage());
            }
        }
        return new ControlPlaneHealth.Etcd(List.of(), failure, !is(etcd(), "EtcdMembersAvailable", "False"));
    }

    private @Nullable GenericKubernetesResource etcd() {
        return WorkloadKinds.named(client.genericKubernetesResources(WorkloadKinds.ETCD), "cluster");
    }

    private EtcdHealth health() {
        GenericKubernetesResource operator =
                WorkloadKinds.named(client.genericKubernetesResources(WorkloadKinds.CLUSTER_OPERATOR), "etcd");
        GenericKubernetesResource etcd = etcd();
        if (operator == null) {
            return new EtcdHealth(true, false, false, false, EtcdHealth.UNKNOWN, "ClusterOperator etcd does not exist");
        }
        boolean available = ConditionView.isTrue(operator, "Available") && !is(etcd, "EtcdMembersAvailable", "False");
        boolean degraded = ConditionView.isTrue(operator, "Degraded") || is(etcd, "EtcdMembersDegraded", "True");
        boolean progressing = ConditionView.isTrue(operator, "Progressing");
        String words = Stream.concat(
                        Stream.of("Available", "Degraded", "Progressing")
                                .flatMap(type -> ConditionView.of(operator, type).stream()),
                        etcd == null
                                ? Stream.empty()
                                : Stream.of("EtcdMembersAvailable", "EtcdMembersDegraded")
                                        .flatMap(type -> ConditionView.of(etcd, type).stream()))
                .map(ConditionView::message)
                .filter(message -> !message.isBlank())
                .map(message -> UntrustedContent.quoted(message, LONGEST_MESSAGE))
                .distinct()
                .collect(Collectors.joining("; "));
        return new EtcdHealth(
                true,
                available,
                degraded,
                progressing,
                EtcdHealth.UNKNOWN,
                words.isEmpty() ? "no reason given" : words);
    }

    private List<GenericKubernetesResource> nodes() {
        return WITH_ETCD.stream()
                .flatMap(role ->
                        client
                                .genericKubernetesResources(WorkloadKinds.NODE)
                                .withLabel(role)
                                .list()
                                .getItems()
                                .stream())
                .filter(node -> !node.isMarkedForDeletion())
                .toList();
    }

    /** Whether a Node runs a control plane; an arbiter does not. */
    static boolean isControlPlane(GenericKubernetesResource node) {
        return node.getMetadata().getLabels().containsKey(MASTER);
    }

    /** In the order of names, so that the same one is asked again. */
    private List<EtcdPod> pods() {
        return client
                .genericKubernetesResources(WorkloadKinds.POD)
                .inNamespace("openshift-etcd")
                .withLabel("app", "etcd")
                .list()
                .getItems()
                .stream()
                .filter(EtcdReading::isReady)
                .map(pod -> new EtcdPod(
                        UntrustedContent.name(pod.getMetadata().getName()),
                        Fields.text(pod.getAdditionalProperties(), "spec", "nodeName")))
                .sorted(Comparator.comparing(EtcdPod::name))
                .toList();
    }

    private static boolean isReady(GenericKubernetesResource pod) {
        return !pod.isMarkedForDeletion() && isReady(pod, "etcd") && isReady(pod, "etcdctl");
    }

    private static boolean isReady(GenericKubernetesResource pod, String container) {
        return Fields.list(pod, "status", "containerStatuses").stream()
                .anyMatch(status -> container.equals(Fields.any(status, "name")) && Fields.isTrue(status, "ready"));
    }

    /** A cluster without capability MachineAPI does not serve the kind. */
    private List<OpenshiftMachine> machines() {
        return WorkloadKinds.served(() -> client.genericKubernetesResources(WorkloadKinds.MACHINE)
                        .inNamespace(MACHINE_NAMESPACE)
                        .withLabel(MACHINE_OF_MASTER, "master")
                        .list()
                        .getItems())
                .stream()
                .map(machine -> new OpenshiftMachine(
                        UntrustedContent.name(machine.getMetadata().getName()),
                        machine.getMetadata().getUid(),
                        Fields.string(machine, "status", "nodeRef", "name"),
                        "Running".equals(Fields.string(machine, "status", "phase")),
                        machine.isMarkedForDeletion()))
                .toList();
    }

    private static boolean is(@Nullable GenericKubernetesResource object, String type, String status) {
        return object != null
                && ConditionView.of(object, type)
                        .filter(condition -> condition.status().equals(status))
                        .isPresent();
    }
}
