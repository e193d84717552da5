package io.capoa.controlplane.machines;

import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * In-place propagation of machine template changes to existing Machines: metadata, deletion timeouts, readiness gates
 * and taints (Cluster API v1beta2 control plane contract, "in-place propagation").
 */
public final class InPlace {

    private InPlace() {}

    /**
     * The desired fields of an existing Machine. References stay as they are, and hooks are not added while the
     * Machine is being deleted. Applying it to an orphan adopts the orphan.
     */
    public static Machine machine(ControlPlaneIdentity identity, Machine actual) {
        String name = actual.getMetadata().getName();
        Machine desired = ControlPlaneMachine.desired(
                identity,
                new MissingMachines.Missing(name, MachineView.of(actual).failureDomain(), Arbiters.is(actual)));
        desired.getMetadata().setUid(actual.getMetadata().getUid());
        keepReferences(MachineView.of(actual), Fields.map(desired, "spec"));
        if (actual.isMarkedForDeletion()) {
            List<String> left = DeletionHooks.on(actual);
            desired.getMetadata().getAnnotations().keySet().removeIf(key -> isHook(key) && !left.contains(key));
        }
        return desired;
    }

    /**
     * A merge patch for the metadata of a Machine's infrastructure machine or config.
     *
     * @param droppedLabels labels that were removed from the template
     * @param droppedAnnotations annotations that were removed from the template
     */
    public static Map<String, Object> metadata(
            ControlPlaneIdentity identity, Collection<String> droppedLabels, Collection<String> droppedAnnotations) {
        SortedMap<String, @Nullable Object> labels = new TreeMap<>(identity.labels());
        droppedLabels.forEach(label -> labels.put(label, null));
        SortedMap<String, @Nullable Object> annotations = new TreeMap<>(identity.templateAnnotations());
        droppedAnnotations.forEach(annotation -> annotations.put(annotation, null));
        Map<String, Object> metadata = new HashMap<>();
        metadata.put("labels", labels);
        if (!annotations.isEmpty()) {
            metadata.put("annotations", annotations);
        }
        return Map.of("metadata", metadata);
    }

    /** Whether the config or infrastructure machine that a Machine names is its own: by UID, for a name proves nothing. */
    public static boolean isPart(ControlPlaneIdentity identity, Machine machine, HasMetadata object) {
        return identity.owns(object)
                || object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> machine.getMetadata().getUid().equals(owner.getUid()));
    }

    /** Keys that the provider set on a Machine and that are no longer wanted. */
    public static Set<String> dropped(Set<String> owned, @Nullable Map<String, String> wanted) {
        Set<String> dropped = new TreeSet<>(owned);
        if (wanted != null) {
            dropped.removeAll(wanted.keySet());
        }
        dropped.removeIf(InPlace::isHook);
        return dropped;
    }

    /**
     * Copies only the reference of {@code bootstrap}: Cluster API owns the name of the bootstrap data Secret beside it.
     */
    private static void keepReferences(MachineView actual, Map<String, Object> spec) {
        spec.put("infrastructureRef", actual.infrastructureRef().fields());
        ContractReference config = actual.bootstrap().configRef();
        if (!config.isEmpty()) {
            spec.put("bootstrap", Map.of("configRef", config.fields()));
        }
    }

    private static boolean isHook(String annotation) {
        return DeletionHooks.ALL.contains(annotation);
    }
}
