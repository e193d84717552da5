package io.capoa.controlplane.observe;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that a control plane's decisions read of one of its Machines while its cluster is being installed: an update that
 * leaves it equal does not requeue the control plane. Why a node is not ready, and where it is reached, is read of installed
 * clusters only.
 *
 * @param finalizers of a Machine that is being deleted
 * @param status without the addresses and the conditions
 * @param conditions type and status of those that only count, else reason and message too
 */
record MachineReads(
        @Nullable String uid,
        @Nullable String deleted,
        List<String> finalizers,
        @Nullable Map<String, String> labels,
        @Nullable Map<String, String> annotations,
        List<OwnerReference> owners,
        Map<String, Object> spec,
        Map<String, Object> status,
        List<List<String>> conditions) {

    /** Their messages tell people what a node lacks. */
    private static final Set<String> COUNTED = Set.of(MachineView.READY, "Available");

    static MachineReads of(Machine machine) {
        ObjectMeta metadata = machine.getMetadata();
        Map<String, Object> status = new TreeMap<>(Fields.map(machine, "status"));
        status.keySet().removeAll(Set.of("addresses", "conditions"));
        return new MachineReads(
                metadata.getUid(),
                metadata.getDeletionTimestamp(),
                machine.isMarkedForDeletion() ? metadata.getFinalizers() : List.of(),
                metadata.getLabels(),
                metadata.getAnnotations(),
                metadata.getOwnerReferences(),
                Fields.map(machine, "spec"),
                status,
                Fields.list(machine, "status", "conditions").stream()
                        .map(MachineReads::condition)
                        .toList());
    }

    private static List<String> condition(Object condition) {
        String type = text(condition, "type");
        return COUNTED.contains(type)
                ? List.of(type, text(condition, "status"))
                : List.of(type, text(condition, "status"), text(condition, "reason"), text(condition, "message"));
    }

    private static String text(Object condition, String field) {
        return String.valueOf(Fields.any(condition, field));
    }
}
