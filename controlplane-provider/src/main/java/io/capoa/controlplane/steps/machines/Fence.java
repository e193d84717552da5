package io.capoa.controlplane.steps.machines;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.machines.DeletionHooks;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.LiveMachines;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the API server, not the caches, immediately before a cluster is changed. A pause, a deletion, another spec or a new
 * leader may not have reached the caches yet.
 */
public final class Fence {

    private final KubernetesClient client;
    private final BooleanSupplier leading;

    /**
     * The fence.
     *
     * @param leading whether this process is the leader
     */
    public Fence(KubernetesClient client, BooleanSupplier leading) {
        this.client = client;
        this.leading = leading;
    }

    /** Why the Machine's node must not be removed now; {@code null} if it may be. */
    @Nullable
    String obstacle(ControlPlaneObservation observation, Machine machine) {
        String stopped = obstacle(observation);
        return stopped != null
                ? stopped
                : changed(observation, machine, LiveMachines.list(client, observation.identity()));
    }

    /** Why no Machine of the control plane must be removed now; {@code null} if it may be. */
    public @Nullable String obstacle(ControlPlaneObservation observation) {
        Cluster cluster = observation.cluster();
        return leading.getAsBoolean()
                ? stopped(
                        observation,
                        read(OpenshiftAssistedControlPlane.class, observation.controlPlane()),
                        cluster == null ? null : read(Cluster.class, cluster))
                : "another replica of the provider is the leader";
    }

    /**
     * Whether the cache has all Machines of the control plane as the API server has them. Otherwise the choice of one to
     * delete rests on others that may have been marked for it, or deleted, a moment ago.
     */
    boolean seesMachinesAsTheyAre(ControlPlaneObservation observation) {
        return sees(observation, LiveMachines.list(client, observation.identity()));
    }

    static boolean sees(ControlPlaneObservation observation, Collection<Machine> live) {
        // The API server lists by these labels, the cache finds a Machine by its owner, too.
        Stream<Machine> seen = observation.machines().stream().filter(observation.identity()::labelled);
        return versions(seen).equals(versions(live.stream()));
    }

    private static Set<String> versions(Stream<Machine> machines) {
        return machines.map(Machine::getMetadata)
                .map(metadata -> metadata.getUid() + " " + metadata.getResourceVersion())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Why the control plane must not be changed; {@code null} if it may be.
     *
     * @param controlPlane as in the API server; {@code null} if it does not exist
     * @param cluster as in the API server; {@code null} if it does not exist
     */
    static @Nullable String stopped(
            ControlPlaneObservation observation,
            @Nullable OpenshiftAssistedControlPlane controlPlane,
            @Nullable Cluster cluster) {
        if (controlPlane == null
                || !isSame(controlPlane, observation.controlPlane())
                || controlPlane.isMarkedForDeletion()) {
            return "the control plane is being deleted";
        }
        if (observation.cluster() == null
                || cluster == null
                || !isSame(cluster, observation.cluster())
                || cluster.isMarkedForDeletion()) {
            return "the Cluster is being deleted";
        }
        if (!Objects.equals(
                controlPlane.getMetadata().getGeneration(),
                observation.controlPlane().getMetadata().getGeneration())) {
            return "the spec of the control plane has just changed";
        }
        return ClusterView.of(cluster).isPaused() || Annotations.has(controlPlane, Annotations.PAUSED)
                ? "reconciliation is paused"
                : null;
    }

    /**
     * Why the decision is outdated: the Machine was replaced or is not being deleted, or there are Machines that the
     * cache does not have, which the Node could belong to.
     */
    static @Nullable String changed(ControlPlaneObservation observation, Machine known, List<Machine> live) {
        Machine actual = live.stream()
                .filter(machine -> isSame(machine, known))
                .findFirst()
                .orElse(null);
        if (actual == null
                || !actual.isMarkedForDeletion()
                || DeletionHooks.on(actual).isEmpty()) {
            return "the Machine has changed concurrently";
        }
        boolean cacheIsStale = live.stream()
                .anyMatch(machine -> observation.machines().stream().noneMatch(seen -> isSame(machine, seen)));
        if (cacheIsStale) {
            return "a Machine of the control plane has just been created";
        }
        return Annotations.has(actual, Annotations.PAUSED) ? "the Machine is paused" : null;
    }

    /** The object as the API server has it; {@code null} if that has none, or another of its name. */
    <R extends HasMetadata> @Nullable R actual(Class<R> kind, R known) {
        R actual = read(kind, known);
        return actual != null && isSame(actual, known) ? actual : null;
    }

    /** Reads by a list with a field selector: the right to watch includes it, a get would need another right. */
    private <R extends HasMetadata> @Nullable R read(Class<R> kind, HasMetadata object) {
        return client
                .resources(kind)
                .inNamespace(object.getMetadata().getNamespace())
                .withField("metadata.name", object.getMetadata().getName())
                .list()
                .getItems()
                .stream()
                .findFirst()
                .orElse(null);
    }

    private static boolean isSame(HasMetadata actual, HasMetadata known) {
        return actual.getMetadata().getUid().equals(known.getMetadata().getUid());
    }
}
