package io.capoa.lab.page;

import static io.capoa.lab.page.PageState.Group.PROGRESS;
import static io.capoa.lab.page.PageState.Group.READY;
import static io.capoa.lab.page.PageState.Group.TROUBLE;
import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.groupingBy;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.page.Detail.ConditionLine;
import io.capoa.lab.page.Detail.Ref;
import io.capoa.lab.page.Detail.Wait;
import io.capoa.lab.page.PageState.ClusterLine;
import io.capoa.lab.page.PageState.EventLine;
import io.capoa.lab.page.PageState.Group;
import io.capoa.lab.page.PageState.HostLine;
import io.capoa.lab.progress.ClusterRow;
import io.capoa.lab.progress.Clusters;
import io.capoa.lab.progress.MachineRow;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Watches what the page shows, and computes it. It only reads, and no Secrets. */
public final class PageReader implements AutoCloseable {

    private static final int MOST_EVENTS = 60;

    private final Clusters clusters;
    private final Caches caches;
    private final Caches.Cache<Cluster> clusterObjects;
    private final Caches.Cache<OpenshiftAssistedControlPlane> controlPlanes;
    private final Caches.Cache<OpenshiftAssistedConfig> configs;
    private final Caches.Cache<Machine> machines;
    private final Caches.Cache<BareMetalHost> hosts;
    private final Caches.Cache<Agent> agents;
    private final Caches.Cache<AgentClusterInstall> installs;
    private final Caches.Cache<Event> events;
    private final Map<String, Caches.Cache<? extends HasMetadata>> shown = new LinkedHashMap<>();
    private final List<SharedIndexInformer<Lease>> leases;
    private final Freshness freshness = new Freshness();
    private final Optional<ManagerLogs> logs;

    /** Without the logs of the managers. */
    public PageReader(KubernetesClient client) {
        this(client, Optional.empty());
    }

    /**
     * With the logs of the managers.
     *
     * @param logs the folder of the lab's logs
     */
    public PageReader(KubernetesClient client, Path logs) {
        this(client, Optional.of(new ManagerLogs(logs)));
    }

    private PageReader(KubernetesClient client, Optional<ManagerLogs> logs) {
        this.logs = logs;
        caches = Caches.ofServedKinds(client);
        clusters = new Clusters(caches);
        clusterObjects = shown(Cluster.class);
        controlPlanes = shown(OpenshiftAssistedControlPlane.class);
        configs = shown(OpenshiftAssistedConfig.class);
        machines = shown(Machine.class);
        shown(MachineDeployment.class);
        hosts = shown(BareMetalHost.class);
        agents = shown(Agent.class);
        installs = shown(AgentClusterInstall.class);
        events = caches.of(Event.class);
        leases = Freshness.LEASES.keySet().stream()
                .map(name -> client.resources(Lease.class)
                        .inAnyNamespace()
                        .withField("metadata.name", name)
                        .runnableInformer(0))
                .toList();
    }

    private <R extends HasMetadata> Caches.Cache<R> shown(Class<R> kind) {
        Caches.Cache<R> cache = caches.of(kind);
        shown.put(HasMetadata.getKind(kind), cache);
        return cache;
    }

    /** Starts to watch; the listener is called for every change. */
    void start(Runnable listener) {
        shown.values().forEach(cache -> cache.onChange(unused -> listener.run()));
        events.onChange(unused -> listener.run());
        caches.start();
        // Without the right to read Leases, the page lacks one of its signals only.
        leases.stream()
                .map(informer -> informer.start().toCompletableFuture().exceptionally(refused -> null))
                .toList()
                .forEach(CompletableFuture::join);
    }

    /** As it is now. */
    PageState state() {
        List<ClusterRow> rows = clusters.rows();
        var now = new Snapshot();
        return new PageState(
                freshness.stale(
                        leases.stream().flatMap(informer -> informer.getStore().list().stream()),
                        controlPlanes.list().map(one -> new Freshness.Pair(one, installs.get(Key.of(one)))),
                        System.nanoTime()),
                rows.stream().map(row -> line(row, now)).toList(),
                hosts(rows, now),
                latest(events.list()));
    }

    /** What an object opens to; empty if there is none, or the page does not show its kind. */
    Optional<Detail> detail(Ref ref) {
        Caches.Cache<? extends HasMetadata> cache = shown.get(ref.kind());
        HasMetadata object = cache == null ? null : cache.get(new Key(ref.namespace(), ref.name()));
        if (object == null) {
            return Optional.empty();
        }
        var now = new Snapshot();
        ObjectTree tree = now.tree(object);
        List<ConditionLine> conditions = ObjectConditions.of(object).toList();
        List<Ref> refs = tree.all().map(one -> ObjectTree.ref(one.object())).toList();
        return Optional.of(new Detail(
                ref,
                tree.group(),
                tree.waits(),
                tree.lines(),
                Timeline.operations(tree.all().flatMap(now::tracks).toList(), Instant.now()),
                conditions,
                tree.all()
                        .flatMap(one -> ObjectConditions.findings(one.object()))
                        .toList(),
                tree.all()
                        .map(ObjectTree::object)
                        .filter(Agent.class::isInstance)
                        .map(Agent.class::cast)
                        .filter(unused ->
                                !(object instanceof Cluster || object instanceof OpenshiftAssistedControlPlane))
                        .findFirst()
                        .map(HostFacts::of)
                        .orElse(List.of()),
                latest(events.list().filter(event -> regards(event, tree))),
                logs.map(read -> read.about(Set.copyOf(refs))).orElse(List.of()),
                logs.isPresent() ? List.of() : ManagerLogs.commands(refs),
                Redacted.yaml(object)));
    }

    private ClusterLine line(ClusterRow row, Snapshot now) {
        Cluster cluster = clusterObjects.get(new Key(row.namespace(), row.name()));
        ObjectTree tree = cluster == null ? null : now.tree(cluster);
        Group group = !row.failure().isEmpty() || (tree != null && tree.group() == TROUBLE)
                ? TROUBLE
                : row.ready() ? READY : PROGRESS;
        List<Wait> waits = tree == null ? List.of() : tree.waits();
        List<String> says = !row.failure().isEmpty()
                ? row.failure().stream().map(Redacted::text).toList()
                : group == READY || waits.isEmpty() ? List.of() : List.of(sentence(waits.getLast()));
        return new ClusterLine(
                row.namespace(),
                row.name(),
                group,
                row.state(),
                row.ready() ? -1 : row.percent(),
                row.replicas().controlPlane().toString(),
                row.replicas().workers().toString(),
                says);
    }

    private static String sentence(Wait wait) {
        return "%s %s: %s"
                .formatted(
                        wait.object().kind(),
                        wait.object().name(),
                        wait.message().isEmpty() ? wait.reason() : wait.message());
    }

    private List<HostLine> hosts(List<ClusterRow> rows, Snapshot now) {
        Map<String, MachineRow> byHost = new HashMap<>();
        rows.forEach(row -> row.machines().stream()
                .filter(machine -> !machine.host().isEmpty())
                .forEach(machine -> byHost.put(row.namespace() + "/" + machine.host(), machine)));
        return hosts.list()
                .sorted(comparing((BareMetalHost host) ->
                                String.valueOf(host.getMetadata().getNamespace()))
                        .thenComparing(host -> host.getMetadata().getName()))
                .map(host -> host(host, byHost.get(Key.of(host).toString()), now))
                .toList();
    }

    private HostLine host(BareMetalHost host, @Nullable MachineRow row, Snapshot now) {
        Key key = Key.of(host);
        Machine machine = row == null ? null : machines.get(new Key(key.namespace(), row.name()));
        String problem = Stream.concat(
                        Stream.of(host),
                        machine == null
                                ? Stream.empty()
                                : now.tree(machine).all().map(ObjectTree::object))
                .flatMap(object -> ObjectConditions.worst(object).stream())
                .filter(line -> line.group() == TROUBLE)
                .map(line -> line.message().isEmpty() ? line.reason() : line.message())
                .findFirst()
                .orElse("");
        boolean runs = row != null && row.phase().equals("Running");
        return new HostLine(
                key.namespace(),
                key.name(),
                !problem.isEmpty() ? TROUBLE : row == null || runs ? READY : PROGRESS,
                Objects.requireNonNullElse(Fields.string(host, "status", "provisioning", "state"), "unknown"),
                Fields.isTrue(host, "status", "poweredOn"),
                row == null ? "" : row.name(),
                row == null ? "" : row.step().isEmpty() ? row.phase() : row.step(),
                row == null || runs ? -1 : row.percent(),
                problem);
    }

    private static boolean regards(Event event, ObjectTree tree) {
        return event.getRegarding() != null
                && tree.all()
                        .map(one -> ObjectTree.ref(one.object()))
                        .anyMatch(ref -> ref.equals(new Ref(
                                String.valueOf(event.getRegarding().getKind()),
                                String.valueOf(event.getRegarding().getNamespace()),
                                String.valueOf(event.getRegarding().getName()))));
    }

    private static List<EventLine> latest(Stream<Event> events) {
        return events.map(event -> new EventLine(
                        time(event),
                        String.valueOf(event.getType()),
                        String.valueOf(event.getReason()),
                        event.getRegarding() == null
                                ? ""
                                : event.getRegarding().getKind() + "/"
                                        + event.getRegarding().getNamespace() + "/"
                                        + event.getRegarding().getName(),
                        Redacted.text(Objects.requireNonNullElse(event.getNote(), ""))))
                .sorted(comparing(EventLine::time).reversed())
                .limit(MOST_EVENTS)
                .toList();
    }

    private static String time(Event event) {
        if (event.getSeries() != null && event.getSeries().getLastObservedTime() != null) {
            return event.getSeries().getLastObservedTime().getTime();
        }
        return event.getEventTime() == null
                ? String.valueOf(event.getMetadata().getCreationTimestamp())
                : event.getEventTime().getTime();
    }

    @Override
    public void close() {
        leases.forEach(SharedIndexInformer::stop);
        clusters.close();
    }

    /** Objects by what leads to them, for one computation. */
    private final class Snapshot {

        private final Map<String, List<Machine>> machinesOf = machines.list()
                .sorted(comparing((Machine machine) -> !isControlPlane(machine))
                        .thenComparing(machine -> machine.getMetadata().getName()))
                .collect(groupingBy(machine -> key(machine, Fields.string(machine, "spec", "clusterName"))));
        private final Map<String, BareMetalHost> hostOf =
                by(hosts.list(), host -> Fields.string(host, "spec", "consumerRef", "name"));
        private final Map<String, Agent> agentOf = by(agents.list(), agent -> label(agent, Labels.INFRA_ENV));

        private static <R extends HasMetadata> Map<String, R> by(
                Stream<R> objects, Function<R, @Nullable String> name) {
            return objects.collect(
                    Collectors.toMap(object -> key(object, name.apply(object)), object -> object, (one, other) -> one));
        }

        ObjectTree tree(HasMetadata object) {
            return ObjectTree.of(object, below(object).map(this::tree).toList());
        }

        private Stream<? extends HasMetadata> below(HasMetadata object) {
            return switch (object) {
                case Cluster cluster ->
                    Stream.concat(
                            found(controlPlanes, cluster, Fields.string(cluster, "spec", "controlPlaneRef", "name")),
                            machinesOf(cluster, cluster.getMetadata().getName())
                                    .filter(machine -> !isControlPlane(machine)));
                case OpenshiftAssistedControlPlane controlPlane ->
                    Stream.concat(
                            machinesOf(controlPlane, label(controlPlane, Labels.CLUSTER_NAME))
                                    .filter(Snapshot::isControlPlane),
                            found(
                                    installs,
                                    controlPlane,
                                    controlPlane.getMetadata().getName()));
                case MachineDeployment deployment ->
                    machinesOf(deployment, Fields.string(deployment, "spec", "clusterName"))
                            .filter(machine ->
                                    deployment.getMetadata().getName().equals(label(machine, Labels.DEPLOYMENT_NAME)));
                case Machine machine ->
                    Stream.of(
                                    found(
                                            configs,
                                            machine,
                                            Fields.string(machine, "spec", "bootstrap", "configRef", "name")),
                                    Stream.ofNullable(hostOf.get(
                                            key(machine, Fields.string(machine, "spec", "infrastructureRef", "name")))),
                                    Stream.ofNullable(agentOf.get(
                                            key(machine, machine.getMetadata().getName()))))
                            .flatMap(one -> one);
                case BareMetalHost host -> agentOfHost(host);
                default -> Stream.empty();
            };
        }

        /** The Agent of the Machine that has the host. */
        private Stream<Agent> agentOfHost(BareMetalHost host) {
            String consumer = Fields.string(host, "spec", "consumerRef", "name");
            return consumer == null
                    ? Stream.empty()
                    : machines.list(Key.of(host).namespace())
                            .filter(machine ->
                                    consumer.equals(Fields.string(machine, "spec", "infrastructureRef", "name")))
                            .flatMap(machine -> Stream.ofNullable(agentOf.get(
                                    key(machine, machine.getMetadata().getName()))));
        }

        private Stream<Machine> machinesOf(HasMetadata object, @Nullable String cluster) {
            return machinesOf.getOrDefault(key(object, cluster), List.of()).stream();
        }

        private static <R extends HasMetadata> Stream<R> found(
                Caches.Cache<R> cache, HasMetadata from, @Nullable String name) {
            return name == null
                    ? Stream.empty()
                    : Stream.ofNullable(cache.get(new Key(Key.of(from).namespace(), name)));
        }

        /** The steps of an object, in its timeline. */
        Stream<Timeline.Track> tracks(ObjectTree tree) {
            boolean failed = tree.group() == TROUBLE;
            return switch (tree.object()) {
                case OpenshiftAssistedControlPlane controlPlane ->
                    Timeline.ofControlPlane(controlPlane, failed).stream();
                case Machine machine ->
                    Timeline.ofMachine(
                            machine,
                            tree.children().stream()
                                    .map(ObjectTree::object)
                                    .filter(OpenshiftAssistedConfig.class::isInstance)
                                    .map(OpenshiftAssistedConfig.class::cast)
                                    .findFirst()
                                    .orElse(null),
                            failed)
                            .stream();
                default -> Stream.empty();
            };
        }

        private static String key(HasMetadata object, @Nullable String name) {
            return Key.of(object).namespace() + "/" + name;
        }

        private static boolean isControlPlane(HasMetadata machine) {
            return label(machine, Labels.CONTROL_PLANE) != null;
        }

        private static @Nullable String label(HasMetadata object, String label) {
            Map<String, String> labels = object.getMetadata().getLabels();
            return labels == null ? null : labels.get(label);
        }
    }
}
