package io.capoa.lab.progress;

import static java.util.Comparator.comparing;
import static java.util.function.Predicate.not;

import io.capoa.api.Labels;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AssistedState;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.progress.ClusterRow.Count;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Watches the clusters of a management cluster and computes their progress. */
public final class Clusters implements AutoCloseable {

    private static final String NOT_YET = "nothing yet";
    private static final int COMPLETE = 100;

    /** Why an upgrade that is wanted does not start yet, without anything being wrong with it. */
    private static final Set<String> LATER = Set.of(
            ControlPlaneConditions.UPGRADE_TO_OTHER_RELEASE,
            ControlPlaneConditions.UPGRADE_WAITING_FOR_CONTROL_PLANE,
            ControlPlaneConditions.UPGRADE_WAITING_FOR_VERSION);

    private final Caches caches;
    private final Caches.Cache<Cluster> clusters;
    private final Caches.Cache<OpenshiftAssistedControlPlane> controlPlanes;
    private final Caches.Cache<MachineDeployment> deployments;
    private final Caches.Cache<Machine> machines;
    private final Caches.Cache<BareMetalHost> hosts;
    private final Caches.Cache<Agent> agents;
    private final Caches.Cache<AgentClusterInstall> installs;

    public Clusters(KubernetesClient client) {
        this(Caches.ofServedKinds(client));
    }

    /** Watches through these caches, which are closed with this. */
    public Clusters(Caches caches) {
        this.caches = caches;
        clusters = caches.of(Cluster.class);
        controlPlanes = caches.of(OpenshiftAssistedControlPlane.class);
        deployments = caches.of(MachineDeployment.class);
        machines = caches.of(Machine.class);
        hosts = caches.of(BareMetalHost.class);
        agents = caches.of(Agent.class);
        installs = caches.of(AgentClusterInstall.class);
    }

    /** Calls the listener on every change of displayed objects. */
    public void onChange(Runnable listener) {
        for (Caches.Cache<?> cache : List.of(clusters, controlPlanes, deployments, machines, hosts, agents, installs)) {
            cache.onChange(unused -> listener.run());
        }
    }

    /** Starts the informers; returns when they have synced. */
    public void start() {
        caches.start();
    }

    /** All clusters, sorted by namespace and name. */
    public List<ClusterRow> rows() {
        return clusters.list()
                .sorted(comparing((Cluster c) -> c.getMetadata().getNamespace())
                        .thenComparing(c -> c.getMetadata().getName()))
                .map(this::row)
                .toList();
    }

    private ClusterRow row(Cluster cluster) {
        String namespace = cluster.getMetadata().getNamespace();
        String name = cluster.getMetadata().getName();
        OpenshiftAssistedControlPlane controlPlane = controlPlane(cluster);
        List<Machine> members = machines.list(namespace)
                .filter(m -> name.equals(Fields.string(m, "spec", "clusterName")))
                .sorted(comparing((Machine m) -> !isControlPlane(m))
                        .thenComparing(m -> m.getMetadata().getName()))
                .toList();
        Count masters = new Count(ready(members, true), wantedControlPlanes(controlPlane));
        Count workers = new Count(ready(members, false), wantedWorkers(namespace, name));
        Optional<AgentClusterInstall> install =
                Optional.ofNullable(controlPlane).map(Key::of).map(installs::get);
        boolean ready = controlPlane != null
                && masters.wanted() > 0
                && masters.complete()
                && workers.complete()
                && members.size() == masters.wanted() + workers.wanted()
                && isAvailable(controlPlane)
                && countsAll(controlPlane, masters.wanted());
        return new ClusterRow(
                namespace,
                name,
                ready ? "ready" : state(cluster, install),
                percent(install),
                new ClusterRow.Replicas(masters, workers),
                ready,
                ready ? List.of() : waitingFor(cluster, controlPlane, members),
                members.stream().map(this::machine).toList(),
                controlPlane == null ? List.of() : failure(controlPlane));
    }

    /** What a person has to look at, with reason and message; the provider's message ends with the remedy. */
    private static List<String> failure(OpenshiftAssistedControlPlane controlPlane) {
        return conditions(controlPlane).stream()
                .filter(c -> c.status().equals(Condition.FALSE) && isFailure(c.type(), c.reason()))
                .flatMap(Clusters::failure)
                .toList();
    }

    private static boolean isFailure(String type, String reason) {
        return switch (type) {
            case ControlPlaneConditions.INSTALL_SUCCEEDING,
                    ControlPlaneConditions.ETCD_CLUSTER_HEALTHY,
                    ControlPlaneConditions.CONTROL_PLANE_COMPONENTS_HEALTHY -> true;
            case ControlPlaneConditions.UPGRADE_AVAILABLE -> !LATER.contains(reason);
            case ControlPlaneConditions.UPGRADE_COMPLETED -> reason.equals(ControlPlaneConditions.UPGRADE_FAILED);
            default -> false;
        };
    }

    /** A list in the message begins below the reason, unless it is of one line. */
    private static Stream<String> failure(Condition condition) {
        String message = condition.message();
        boolean list = message.startsWith("* ");
        return list && message.contains("\n")
                ? Stream.concat(Stream.of(condition.reason() + ":"), message.lines())
                : (condition.reason() + ": " + (list ? message.substring(2) : message)).lines();
    }

    private @Nullable OpenshiftAssistedControlPlane controlPlane(Cluster cluster) {
        String name = Fields.string(cluster, "spec", "controlPlaneRef", "name");
        return name == null
                ? null
                : controlPlanes.get(new Key(cluster.getMetadata().getNamespace(), name));
    }

    static String state(Cluster cluster, Optional<AgentClusterInstall> install) {
        if (cluster.getMetadata().getDeletionTimestamp() != null) {
            return "deleting";
        }
        return install.map(i -> Fields.string(i, "status", "debugInfo", "state"))
                .map(AssistedState::ofCluster)
                .or(() -> install.map(i -> "registering"))
                .orElse("preparing");
    }

    /** Of an installation that has begun and is not complete, else -1. */
    static int percent(Optional<AgentClusterInstall> install) {
        return install.map(i -> Fields.integer(i, "status", "progress", "totalPercentage"))
                .filter(percent -> percent > 0 && percent < COMPLETE)
                .orElse(-1);
    }

    private MachineRow machine(Machine machine) {
        String namespace = machine.getMetadata().getNamespace();
        String name = machine.getMetadata().getName();
        Optional<Agent> agent = agents.list(namespace)
                .filter(a -> name.equals(label(a, Labels.INFRA_ENV)))
                .findFirst();
        String infrastructure = Fields.string(machine, "spec", "infrastructureRef", "name");
        String host = hosts.list(namespace)
                .filter(h -> infrastructure != null
                        && infrastructure.equals(Fields.string(h, "spec", "consumerRef", "name")))
                .map(h -> h.getMetadata().getName())
                .findFirst()
                .orElse("");
        String phase =
                Optional.ofNullable(Fields.string(machine, "status", "phase")).orElse("");
        return new MachineRow(
                name,
                isControlPlane(machine),
                phase,
                host,
                phase.equals("Running") ? waitsFor(machine) : step(machine, agent),
                agent.filter(a -> Fields.string(a, "status", "progress", "currentStage") != null)
                        .map(a -> Fields.integer(a, "status", "progress", "installationPercentage"))
                        .orElse(-1));
    }

    static String step(Machine machine, Optional<Agent> agent) {
        Function<String[], Optional<String>> ofAgent = path -> agent.map(a -> Fields.string(a, path));
        return ofAgent.apply(new String[] {"status", "progress", "currentStage"})
                .or(() -> ofAgent.apply(new String[] {"status", "debugInfo", "state"})
                        .map(AssistedState::ofHost))
                .orElseGet(() -> waitsFor(machine));
    }

    private static String waitsFor(Machine machine) {
        return Stream.of("BootstrapConfigReady", "InfrastructureReady", "NodeReady")
                .flatMap(type -> ConditionView.of(machine, type).stream())
                .filter(not(ConditionView::isTrue))
                .map(ConditionView::reason)
                .findFirst()
                .orElse("");
    }

    private static List<String> waitingFor(
            Cluster cluster, @Nullable OpenshiftAssistedControlPlane controlPlane, List<Machine> members) {
        List<String> lines = new ArrayList<>();
        if (controlPlane == null) {
            lines.add("the control plane that the Cluster refers to does not exist");
        } else {
            conditions(controlPlane).stream()
                    .filter(c -> !c.status().equals(Condition.TRUE) && isGoodWhenTrue(c.type()))
                    .map(c -> line(controlPlane, c.type(), c.reason(), c.message()))
                    .forEach(lines::add);
        }
        Stream.concat(Stream.of(cluster), members.stream())
                .flatMap(o -> Stream.of("InfrastructureReady", "BootstrapConfigReady", "NodeReady")
                        .flatMap(type -> ConditionView.of(o, type).stream())
                        .filter(not(ConditionView::isTrue))
                        .limit(1)
                        .map(c -> line(o, c.type(), c.reason(), c.message())))
                .forEach(lines::add);
        return lines.isEmpty() ? List.of(NOT_YET) : lines;
    }

    private static String line(HasMetadata object, String type, String reason, String message) {
        String text = "%s %s: %s is not True (%s)"
                .formatted(object.getKind(), object.getMetadata().getName(), type, reason);
        return message.isEmpty() ? text : text + ": " + message.replace("\n", " ");
    }

    private static boolean isGoodWhenTrue(String type) {
        return switch (type) {
            case "Paused", "Deleting", "RollingOut", "ScalingUp", "ScalingDown", "Remediating" -> false;
            default -> true;
        };
    }

    private static boolean isAvailable(OpenshiftAssistedControlPlane controlPlane) {
        return conditions(controlPlane).stream()
                .anyMatch(c -> c.type().equals("Available") && c.status().equals(Condition.TRUE));
    }

    /** Whether the control plane's counters, which lag behind its Machines, are complete. */
    private static boolean countsAll(OpenshiftAssistedControlPlane controlPlane, int wanted) {
        OpenshiftAssistedControlPlaneStatus status = controlPlane.getStatus();
        return status != null
                && Stream.of(
                                status.replicas(),
                                status.readyReplicas(),
                                status.availableReplicas(),
                                status.upToDateReplicas())
                        .allMatch(count -> count != null && count == wanted);
    }

    private static List<Condition> conditions(OpenshiftAssistedControlPlane controlPlane) {
        return Optional.ofNullable(controlPlane.getStatus())
                .map(OpenshiftAssistedControlPlaneStatus::conditions)
                .orElse(List.of());
    }

    private static int ready(List<Machine> machines, boolean controlPlane) {
        return (int) machines.stream()
                .filter(m -> isControlPlane(m) == controlPlane)
                .filter(m -> "Running".equals(Fields.string(m, "status", "phase")))
                .filter(m -> ConditionView.isTrue(m, "Ready"))
                .count();
    }

    private static int wantedControlPlanes(@Nullable OpenshiftAssistedControlPlane controlPlane) {
        Integer replicas = controlPlane == null || controlPlane.getSpec() == null
                ? null
                : controlPlane.getSpec().replicas();
        return replicas == null ? 0 : replicas;
    }

    private int wantedWorkers(String namespace, String cluster) {
        return deployments
                .list(namespace)
                .filter(d -> cluster.equals(Fields.string(d, "spec", "clusterName")))
                .map(d -> Fields.integer(d, "spec", "replicas"))
                .collect(Collectors.summingInt(r -> r == null ? 0 : r));
    }

    private static boolean isControlPlane(Machine machine) {
        return labels(machine).containsKey(Labels.CONTROL_PLANE);
    }

    private static @Nullable String label(HasMetadata resource, String key) {
        return labels(resource).get(key);
    }

    private static Map<String, String> labels(HasMetadata resource) {
        Map<String, String> labels = resource.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    @Override
    public void close() {
        caches.close();
    }
}
