package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ArbiterSettings;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which Machines to create.
 *
 * <p>The creation order is infrastructure machine, config, Machine, each only if it does not exist. A config without a
 * Machine is therefore left over from a crash: its triple is completed before a new one is started.
 */
public final class MissingMachines {

    private MissingMachines() {}

    /**
     * A Machine to create.
     *
     * @param name of Machine, infrastructure machine and config
     * @param failureDomain {@code null} where the Cluster has none
     * @param arbiter whether it becomes an arbiter
     */
    public record Missing(String name, @Nullable String failureDomain, boolean arbiter) {}

    /**
     * The Machines to create now, in a deterministic order.
     *
     * @param wanted how many, of which role
     * @param machines the control plane's Machines, including those being deleted
     * @param configs the control plane's configs
     * @param installed whether the installation is complete: then names are never reused
     */
    public static List<Missing> of(
            ControlPlaneIdentity identity,
            Cluster cluster,
            Action.Create wanted,
            Collection<Machine> machines,
            Collection<OpenshiftAssistedConfig> configs,
            boolean installed) {
        Machines existing = Machines.of(machines);
        Set<String> used = existing.names();
        boolean mixed = ArbiterSettings.count(identity.controlPlane().getSpec().arbiter()) > 0;
        SortedMap<String, Boolean> begun = new TreeMap<>();
        for (OpenshiftAssistedConfig config : configs) {
            String name = config.getMetadata().getName();
            boolean usable = !installed || MachineName.isUnusedLater(identity, name);
            if (usable && !used.contains(name) && waitsForMachine(identity, config)) {
                begun.put(name, mixed && Arbiters.is(config));
            }
        }
        configs.forEach(config -> used.add(config.getMetadata().getName()));
        FailureDomains domains = FailureDomains.of(cluster, existing);
        List<Missing> missing = new ArrayList<>();
        int arbiters = wanted.arbiters();
        int others = wanted.count() - arbiters;
        for (Map.Entry<String, Boolean> each : begun.entrySet()) {
            boolean arbiter = each.getValue();
            if ((arbiter ? arbiters-- : others--) > 0) {
                missing.add(new Missing(each.getKey(), domains.next(), arbiter));
            }
        }
        int first = installed ? MachineName.laterUsed(identity, used) : 0;
        for (int n = first; missing.size() < wanted.count(); n++) {
            String name = installed ? MachineName.later(identity, n) : MachineName.of(identity, n);
            if (!MachineName.isTaken(name, used)) {
                missing.add(new Missing(name, domains.next(), others-- <= 0));
            }
        }
        return missing;
    }

    /** Whether this control plane has created the Machine: its name is one that only this control plane gives. */
    public static boolean isOwn(ControlPlaneIdentity identity, Machine machine) {
        return MachineName.isOwn(identity, machine.getMetadata().getName());
    }

    /**
     * Merge patch by which the control plane records the names of existing Machines; empty if they are recorded.
     *
     * @param names of existing Machines
     */
    public static Map<String, Object> namesToRecord(ControlPlaneIdentity identity, Set<String> names) {
        int used = MachineName.laterUsed(identity, names);
        return used == MachineName.recorded(identity)
                ? Map.of()
                : Map.of(
                        "metadata",
                        Map.of("annotations", Map.of(Annotations.LATER_NAMES_USED, Integer.toString(used))));
    }

    /**
     * Whether a config of the control plane is not being deleted and has no Machine; Cluster API sets a Machine as owner
     * at once.
     */
    private static boolean waitsForMachine(ControlPlaneIdentity identity, OpenshiftAssistedConfig config) {
        return identity.owns(config)
                && !config.isMarkedForDeletion()
                && config.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> HasMetadata.getKind(Machine.class).equals(owner.getKind()));
    }
}
