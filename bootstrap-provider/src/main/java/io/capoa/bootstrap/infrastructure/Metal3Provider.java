package io.capoa.bootstrap.infrastructure;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.contract.OlderMetal3Machine;
import io.capoa.runtime.watch.CachePruning;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.Source;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Metal3, with the informers of its kinds. They may be absent where another provider supplies the hosts: only a Machine
 * that refers to a Metal3Machine needs them. CAPM3 before the v1beta2 contract serves its machines as v1beta1 only.
 */
record Metal3Provider(Source<Metal3Machine> newer, Source<OlderMetal3Machine> older, Source<BareMetalHost> hosts)
        implements InfrastructureProvider {

    private static final String GROUP = "infrastructure.cluster.x-k8s.io";
    private static final String KIND = "Metal3Machine";

    /** Metal3Machines by {@code namespace/name} of the BareMetalHost that they have taken. */
    private static final String BY_HOST = "host";

    /** Metal3Machines that find no host, by namespace. */
    private static final String WAITING = "waiting";

    /** BareMetalHosts without a consumer, by {@code namespace/annotation} that marks them as unhealthy. */
    private static final String UNHEALTHY = "unhealthy";

    /** What is read of a host's annotations, besides those that ask for a reboot. */
    private static final Set<String> HOST_ANNOTATIONS = Set.of(
            Annotations.HOST_REBOOT,
            Annotations.REBOOTED_FOR,
            Annotations.HOST_DETACHED,
            Annotations.DETACHED_FOR,
            Annotations.HOST_PAUSED,
            Annotations.HOST_UNHEALTHY,
            Annotations.OLDER_HOST_UNHEALTHY);

    static Metal3Provider declare(EventSources<OpenshiftAssistedConfig> eventSources) {
        Source<Metal3Machine> newer = eventSources
                .on(Metal3Machine.class)
                .optional()
                .pruned(Metal3Provider::image)
                .statusWaits()
                .index(BY_HOST, Metal3Provider::takenHost)
                .index(WAITING, Metal3Provider::waiting)
                .enqueuesByKey(BY_MACHINE, InfrastructureProvider::machines)
                .source();
        Source<OlderMetal3Machine> older = eventSources
                .on(OlderMetal3Machine.class)
                .whereNotServedAs(HasMetadata.getVersion(Metal3Machine.class))
                .pruned(Metal3Provider::image)
                .statusWaits()
                .index(BY_HOST, Metal3Provider::takenHost)
                .index(WAITING, Metal3Provider::waiting)
                .enqueuesByKey(BY_MACHINE, InfrastructureProvider::machines)
                .source();
        return new Metal3Provider(
                newer,
                older,
                eventSources
                        .on(BareMetalHost.class)
                        .optional()
                        .pruned(Metal3Provider::identityAndPower)
                        .statusWaits()
                        .index(UNHEALTHY, Metal3Provider::marks)
                        .enqueuesByKey(BY_MACHINE, host -> takers(newer, older, host))
                        .source());
    }

    @Override
    public boolean provides(ContractReference infrastructureMachine) {
        return isMetal3(infrastructureMachine);
    }

    @Override
    public Infrastructure of(Machine machine, String name) {
        if ((!newer.isKnown() && !older.isKnown()) || !hosts.isKnown()) {
            return Infrastructure.missing(Stream.of(newer.absence(), hosts.absence())
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElse("Metal3Machines or BareMetalHosts cannot be watched now"));
        }
        Metal3Machine found = machine(newer, older, machine.getMetadata().getNamespace(), name)
                .orElse(null);
        if (found == null) {
            return Infrastructure.missing("Metal3Machine " + name + " does not exist");
        }
        if (!isOwned(found, machine)) {
            return Infrastructure.missing(
                    "Metal3Machine %s has no owner reference to Machine %s, which Cluster API sets"
                            .formatted(name, machine.getMetadata().getName()));
        }
        return Metal3Infrastructure.isShortOfHosts(found)
                ? new Metal3Infrastructure(found, null, unhealthyHosts(found))
                : new Metal3Infrastructure(found, host(found));
    }

    /** By UID: a Machine of the same name was another one. */
    private static boolean isOwned(Metal3Machine found, Machine machine) {
        return found.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner ->
                        Objects.equals(owner.getUid(), machine.getMetadata().getUid()));
    }

    @Override
    public void patchIfUnchanged(Applier applier, HasMetadata object, Map<String, Object> patch) {
        switch (object) {
            case BareMetalHost host -> applier.patchIfUnchanged(hosts, host, patch);
            case OlderMetal3Machine machine -> applier.patchIfUnchanged(older, machine, patch);
            case Metal3Machine machine -> applier.patchIfUnchanged(newer, machine, patch);
            default -> throw new IllegalArgumentException(object.getKind() + " is no kind of Metal3");
        }
    }

    private static Optional<Metal3Machine> machine(
            Source<Metal3Machine> newer, Source<OlderMetal3Machine> older, String namespace, String name) {
        return newer.get(namespace, name).or(() -> older.get(namespace, name));
    }

    private @Nullable BareMetalHost host(Metal3Machine machine) {
        return Metal3Infrastructure.ownHost(machine)
                .flatMap(name -> hosts.get(machine.getMetadata().getNamespace(), name))
                .orElse(null);
    }

    private List<String> unhealthyHosts(Metal3Machine machine) {
        return hosts.byIndex(UNHEALTHY, scoped(machine, Metal3Infrastructure.unhealthyMark(machine))).stream()
                .map(host -> host.getMetadata().getName())
                .toList();
    }

    private static List<String> marks(BareMetalHost host) {
        return BareMetalHostView.of(host).consumerName() != null
                ? List.of()
                : Stream.of(Annotations.HOST_UNHEALTHY, Annotations.OLDER_HOST_UNHEALTHY)
                        .filter(mark -> Annotations.has(host, mark))
                        .map(mark -> scoped(host, mark))
                        .toList();
    }

    private static <R extends Metal3Machine> List<String> waiting(R machine) {
        return Metal3Infrastructure.isShortOfHosts(machine)
                ? List.of(machine.getMetadata().getNamespace())
                : List.of();
    }

    private static <R extends Metal3Machine> List<String> takenHost(R machine) {
        return Metal3Infrastructure.ownHost(machine).map(name -> scoped(machine, name)).stream()
                .toList();
    }

    /**
     * The Machines of the Metal3Machines that have taken the host, as {@link #host} finds it, or find none while it is free.
     * CAPM3 makes one the host's consumer before that: the host is not read yet.
     */
    private static List<String> takers(
            Source<Metal3Machine> newer, Source<OlderMetal3Machine> older, BareMetalHost host) {
        String key = scoped(host, host.getMetadata().getName());
        String namespace = host.getMetadata().getNamespace();
        boolean free = BareMetalHostView.of(host).consumerName() == null;
        return Stream.concat(
                        machines(newer, older, BY_HOST, key),
                        free ? machines(newer, older, WAITING, namespace) : Stream.empty())
                .flatMap(machine -> InfrastructureProvider.machines(machine).stream())
                .toList();
    }

    private static Stream<Metal3Machine> machines(
            Source<Metal3Machine> newer, Source<OlderMetal3Machine> older, String index, String key) {
        return Stream.concat(newer.byIndex(index, key).stream(), older.byIndex(index, key).stream());
    }

    private static String scoped(HasMetadata object, String name) {
        return object.getMetadata().getNamespace() + "/" + name;
    }

    /** Whether infrastructure machines of this kind are Metal3's. */
    static boolean isMetal3(ContractReference infrastructureMachine) {
        return infrastructureMachine.isTo(GROUP, KIND);
    }

    /** Of a Metal3Machine what it boots, and that it finds no host. */
    static <R extends Metal3Machine> R image(R machine) {
        CachePruning.spec(CachePruning.fields(machine, Set.of("spec", "status")), Set.of("image", "customDeploy"));
        CachePruning.conditions(machine, Metal3Infrastructure::isHostShortage);
        return CachePruning.status(machine, Set.of("conditions"));
    }

    /**
     * Of a host by what it is recognised, which machine has taken it, which live ISO or disk it is to boot from and by which
     * method, and how it is powered: figures of its hardware and progress are not read.
     */
    static BareMetalHost identityAndPower(BareMetalHost host) {
        CachePruning.fields(host, Set.of("spec", "status"));
        CachePruning.spec(
                host,
                Set.of("bootMACAddress", "consumerRef", "customDeploy", "disablePowerOff", "image", "rootDeviceHints"));
        boolean isLiveIso = BareMetalHostView.of(host).isLiveIso();
        if (!isLiveIso && host.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec) {
            spec.remove("image");
        }
        CachePruning.status(host, Set.of("poweredOn", "provisioning", "operationHistory", "errorMessage"));
        if (host.getAdditionalProperties().get("status") instanceof Map<?, ?> status) {
            CachePruning.retain(status, "provisioning", Set.of("state"));
            CachePruning.retain(status, "operationHistory", Set.of("provision"));
            CachePruning.retain(status.get("operationHistory"), "provision", Set.of("end"));
            if (!BareMetalHostView.of(host).isProvisioned()
                    && !(isLiveIso && BareMetalHostView.of(host).isProvisioning())) {
                // On its way there it passes six states.
                status.remove("provisioning");
            }
        }
        Map<String, String> annotations = host.getMetadata().getAnnotations();
        if (annotations != null) {
            annotations
                    .keySet()
                    .removeIf(name -> !HOST_ANNOTATIONS.contains(name)
                            && !Annotations.BMAC_SETTINGS.contains(name)
                            && !name.startsWith(Annotations.HOST_REBOOT + "/"));
            // Only that they are there is of interest.
            annotations.replaceAll((name, value) -> Annotations.BMAC_SETTINGS.contains(name) ? "" : value);
        }
        return host;
    }
}
