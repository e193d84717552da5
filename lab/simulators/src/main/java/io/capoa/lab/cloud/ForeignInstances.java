package io.capoa.lab.cloud;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.CacheSyncGate;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.capoa.lab.core.ContractVersion;
import io.capoa.lab.host.Instances;
import io.capoa.lab.workload.CloudInstances;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Boots a simulated host for every infrastructure machine of a provider that the lab does not simulate: when the provider
 * reports it as provisioned, with the bootstrap data of its Machine. The host runs until the object is gone.
 */
public final class ForeignInstances implements AutoCloseable, CloudInstances {

    private static final Logger LOG = LoggerFactory.getLogger(ForeignInstances.class);
    private static final String IMAGE = "of the infrastructure provider";

    /** A kind of infrastructure machines. */
    public record Kind(String group, String kind) {}

    private final KubernetesClient client;
    private final Instances instances;
    private final Set<Kind> simulated;
    private final Caches caches;
    private final Caches.Cache<Machine> machines;
    private final Map<Kind, Caches.Cache<GenericKubernetesResource>> watched = new ConcurrentHashMap<>();
    /** UID of the infrastructure machine whose host runs, by Machine. */
    private final Map<Key, String> running = new ConcurrentHashMap<>();

    private final Set<String> startedWithoutData = ConcurrentHashMap.newKeySet();
    private final MetadataService metadata;
    private final CacheSyncGate gate = new CacheSyncGate();
    private final WorkQueue loop;

    /**
     * Watches all namespaces; the caller closes the client.
     *
     * @param client that may read infrastructure machines of all kinds
     * @param instances runs the hosts; closed with this
     * @param simulated kinds whose hosts are not booted here
     */
    public ForeignInstances(KubernetesClient client, Instances instances, Set<Kind> simulated) throws IOException {
        this.client = client;
        this.instances = instances;
        this.simulated = Set.copyOf(simulated);
        caches = new Caches(client);
        machines = caches.of(Machine.class);
        metadata = new MetadataService();
        loop = new WorkQueue("foreign-instances", gate.behind(key -> {
            reconcile(key);
            return null;
        }));
    }

    /** Starts the informer of Machines; returns when it has synced. */
    public ForeignInstances start() {
        loop.watch(machines);
        caches.start();
        gate.open();
        return this;
    }

    private void reconcile(Key key) throws IOException, InterruptedException {
        Machine machine = machines.get(key);
        Optional<ForeignMachine> infrastructure = machine == null ? Optional.empty() : infrastructure(machine);
        String uid = infrastructure.map(ForeignMachine::uid).orElse(null);
        String had = running.get(key);
        if (had != null && !had.equals(uid)) {
            instances.terminate(key);
            running.remove(key);
        }
        if (machine != null
                && infrastructure.isPresent()
                && infrastructure.get().isProvisioned()) {
            boot(key, machine, infrastructure.get());
        }
    }

    private void boot(Key key, Machine machine, ForeignMachine infrastructure) {
        if (startedWithoutData.contains(infrastructure.uid())) {
            return;
        }
        Optional<String> data = bootstrapData(key, machine);
        if (data.isEmpty()) {
            startedWithoutData.add(infrastructure.uid());
            LOG.warn(
                    "{} {} was provisioned before its Machine had bootstrap data: its host has nothing to boot",
                    infrastructure.object().getKind(),
                    key);
            return;
        }
        String hostname = infrastructure.hostname();
        String service = metadata.publish(infrastructure.uid(), hostname, instance(machine, infrastructure));
        running.put(key, infrastructure.uid());
        instances.run(key, InstanceHardware.of(infrastructure.object(), hostname, IMAGE, data.get(), service));
    }

    /** Name of the Machine's bootstrap data. The cached Machine may be older than its infrastructure machine. */
    private Optional<String> bootstrapData(Key key, Machine machine) {
        return dataSecret(machine)
                .or(() -> Optional.ofNullable(client.resources(Machine.class)
                                .inNamespace(key.namespace())
                                .withName(key.name())
                                .get())
                        .flatMap(ForeignInstances::dataSecret));
    }

    private static Optional<String> dataSecret(Machine machine) {
        return Optional.ofNullable(Fields.string(machine, "spec", "bootstrap", "dataSecretName"));
    }

    /** The infrastructure machine, if it is of a kind that the lab does not simulate and exists. */
    private Optional<ForeignMachine> infrastructure(Machine machine) {
        return reference(machine).flatMap(kind -> cached(machine, cache(kind)));
    }

    private Optional<Kind> reference(Machine machine) {
        String group = Fields.string(machine, "spec", "infrastructureRef", "apiGroup");
        String kind = Fields.string(machine, "spec", "infrastructureRef", "kind");
        return group == null || kind == null
                ? Optional.empty()
                : Optional.of(new Kind(group, kind)).filter(known -> !simulated.contains(known));
    }

    private static Optional<ForeignMachine> cached(Machine machine, Caches.Cache<GenericKubernetesResource> cache) {
        return Optional.ofNullable(Fields.string(machine, "spec", "infrastructureRef", "name"))
                .map(name -> cache.get(new Key(machine.getMetadata().getNamespace(), name)))
                .map(ForeignMachine::new);
    }

    /** The informer of a kind, from its first reference on. */
    private Caches.Cache<GenericKubernetesResource> cache(Kind kind) {
        return watched.computeIfAbsent(kind, absent -> {
            Caches.Cache<GenericKubernetesResource> cache =
                    caches.open(ContractVersion.of(client, kind.group(), kind.kind()));
            loop.watch(
                    cache,
                    object -> CloudObjects.owner(object, "Machine").stream()
                            .map(name -> new Key(object.getMetadata().getNamespace(), name))
                            .toList());
            return cache;
        });
    }

    private static Instance instance(Machine machine, ForeignMachine infrastructure) {
        return infrastructure.instance(Fields.string(machine, "spec", "failureDomain"));
    }

    /** The instance with that hostname; empty if several clusters have one. */
    @Override
    public Optional<Instance> find(String hostname) {
        List<Instance> named = machines.list()
                .flatMap(machine ->
                        reference(machine).map(watched::get).flatMap(cache -> cached(machine, cache)).stream()
                                .filter(ForeignMachine::isProvisioned)
                                .filter(infrastructure ->
                                        infrastructure.hostname().equals(hostname))
                                .map(infrastructure -> instance(machine, infrastructure)))
                .toList();
        return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
    }

    @Override
    public void close() {
        loop.close();
        caches.close();
        instances.close();
        metadata.close();
    }
}
