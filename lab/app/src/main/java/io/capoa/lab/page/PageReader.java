package io.capoa.lab.page;

import static java.util.Comparator.comparing;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.page.PageState.ClusterCard;
import io.capoa.lab.page.PageState.EventLine;
import io.capoa.lab.page.PageState.HostCard;
import io.capoa.lab.page.PageState.Rack;
import io.capoa.lab.page.PageState.TreeLine;
import io.capoa.lab.progress.ClusterRow;
import io.capoa.lab.progress.Clusters;
import io.capoa.lab.progress.MachineRow;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
    private final Caches.Cache<Event> events;

    public PageReader(KubernetesClient client) {
        clusters = new Clusters(client);
        caches = Caches.ofServedKinds(client);
        clusterObjects = caches.of(Cluster.class);
        controlPlanes = caches.of(OpenshiftAssistedControlPlane.class);
        configs = caches.of(OpenshiftAssistedConfig.class);
        machines = caches.of(Machine.class);
        hosts = caches.of(BareMetalHost.class);
        events = caches.of(Event.class);
    }

    /** Starts to watch; the listener is called for every change. */
    void start(Runnable listener) {
        clusters.onChange(listener);
        for (Caches.Cache<?> cache : List.of(clusterObjects, controlPlanes, configs, machines, hosts, events)) {
            cache.onChange(unused -> listener.run());
        }
        clusters.start();
        caches.start();
    }

    /** As it is now. */
    PageState state() {
        List<ClusterRow> rows = clusters.rows();
        return new PageState(rows.stream().map(this::card).toList(), racks(rows), latestEvents());
    }

    private ClusterCard card(ClusterRow row) {
        Cluster cluster = clusterObjects.get(new Key(row.namespace(), row.name()));
        OpenshiftAssistedControlPlane controlPlane = cluster == null ? null : controlPlane(cluster);
        List<Machine> members = machines.list(row.namespace())
                .filter(machine -> row.name().equals(Fields.string(machine, "spec", "clusterName")))
                .sorted(comparing(machine -> machine.getMetadata().getName()))
                .toList();
        List<TreeLine> tree = new ArrayList<>();
        List<PageState.Track> timeline = new ArrayList<>();
        if (cluster != null) {
            tree.add(ObjectConditions.line(0, cluster));
        }
        if (controlPlane != null) {
            tree.add(ObjectConditions.line(1, controlPlane));
            timeline.add(Timeline.ofControlPlane(controlPlane));
        }
        for (Machine machine : members) {
            tree.add(ObjectConditions.line(1, machine));
            OpenshiftAssistedConfig config = config(machine);
            if (config != null) {
                tree.add(ObjectConditions.line(2, config));
            }
            timeline.add(Timeline.ofMachine(machine, config));
        }
        return new ClusterCard(
                row.namespace(),
                row.name(),
                row.state(),
                row.percent(),
                row.replicas().controlPlane().toString(),
                row.replicas().workers().toString(),
                row.ready(),
                row.waitingFor(),
                row.failure(),
                tree,
                timeline);
    }

    private @Nullable OpenshiftAssistedControlPlane controlPlane(Cluster cluster) {
        String name = Fields.string(cluster, "spec", "controlPlaneRef", "name");
        return name == null
                ? null
                : controlPlanes.get(new Key(cluster.getMetadata().getNamespace(), name));
    }

    private @Nullable OpenshiftAssistedConfig config(Machine machine) {
        String name = Fields.string(machine, "spec", "bootstrap", "configRef", "name");
        return name == null ? null : configs.get(new Key(machine.getMetadata().getNamespace(), name));
    }

    private List<Rack> racks(List<ClusterRow> rows) {
        Map<String, MachineRow> byHost = new HashMap<>();
        rows.forEach(row -> row.machines().stream()
                .filter(machine -> !machine.host().isEmpty())
                .forEach(machine -> byHost.put(row.namespace() + "/" + machine.host(), machine)));
        Map<String, List<HostCard>> racks = new TreeMap<>();
        hosts.list().sorted(comparing(host -> host.getMetadata().getName())).forEach(host -> {
            String namespace = String.valueOf(host.getMetadata().getNamespace());
            racks.computeIfAbsent(namespace, none -> new ArrayList<>())
                    .add(host(
                            host,
                            byHost.get(namespace + "/" + host.getMetadata().getName())));
        });
        return racks.entrySet().stream()
                .map(rack -> new Rack(rack.getKey(), rack.getValue()))
                .toList();
    }

    private HostCard host(BareMetalHost host, @Nullable MachineRow machine) {
        return new HostCard(
                host.getMetadata().getName(),
                Optional.ofNullable(Fields.string(host, "status", "provisioning", "state"))
                        .orElse("unknown"),
                Fields.isTrue(host, "status", "poweredOn"),
                machine == null ? "" : machine.name(),
                machine == null ? "" : machine.step().isEmpty() ? machine.phase() : machine.step(),
                machine == null ? -1 : machine.percent(),
                problem(host, machine));
    }

    /** What Metal3 reports, else what keeps the config of its Machine from going on. */
    private String problem(BareMetalHost host, @Nullable MachineRow machine) {
        String own = Fields.string(host, "status", "errorMessage");
        if (own != null && !own.isEmpty()) {
            return own;
        }
        Machine of =
                machine == null ? null : machines.get(new Key(host.getMetadata().getNamespace(), machine.name()));
        OpenshiftAssistedConfig config = of == null ? null : config(of);
        return config == null ? "" : ObjectConditions.problem(config);
    }

    private List<EventLine> latestEvents() {
        return events.list()
                .map(event -> new EventLine(
                        time(event),
                        String.valueOf(event.getType()),
                        String.valueOf(event.getReason()),
                        event.getRegarding() == null
                                ? ""
                                : event.getRegarding().getKind() + " "
                                        + event.getRegarding().getNamespace() + "/"
                                        + event.getRegarding().getName(),
                        String.valueOf(event.getNote())))
                .sorted(comparing(EventLine::time).reversed())
                .limit(MOST_EVENTS)
                .toList();
    }

    private static String time(Event event) {
        if (event.getSeries() != null && event.getSeries().getLastObservedTime() != null) {
            return event.getSeries().getLastObservedTime().getTime();
        }
        return event.getEventTime() == null
                ? created(event)
                : event.getEventTime().getTime();
    }

    private static String created(HasMetadata object) {
        return String.valueOf(object.getMetadata().getCreationTimestamp());
    }

    @Override
    public void close() {
        clusters.close();
        caches.close();
    }
}
