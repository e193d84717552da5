package io.capoa.lab.conformance;

import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.lab.conformance.ClusterManifest.InfrastructureKind;
import io.capoa.lab.conformance.HistoryRules.Moment;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All versions of a namespace's infrastructure machines, and when their Machines got their bootstrap data. The two kinds
 * arrive by two watches; resource versions of one API server order them.
 */
public final class MachineHistory {

    private record Id(String group, String kind, String name) {}

    private record Version(long number, GenericKubernetesResource object) {}

    private final Map<String, List<Version>> versions = new LinkedHashMap<>();
    private final Map<Id, Version> data = new LinkedHashMap<>();
    private final Map<String, Id> ids = new LinkedHashMap<>();

    /** Records a version of an infrastructure machine; older ones than the last are ignored. */
    public synchronized void machine(InfrastructureKind kind, GenericKubernetesResource object) {
        String uid = object.getMetadata().getUid();
        List<Version> known = versions.computeIfAbsent(uid, absent -> new ArrayList<>());
        Version version = new Version(number(object), object);
        if (known.isEmpty() || known.getLast().number() < version.number()) {
            known.add(version);
            ids.put(uid, new Id(kind.group(), kind.kind(), object.getMetadata().getName()));
        }
    }

    /** Records a version of a Machine. */
    public synchronized void owner(Machine machine) {
        ContractReference reference = MachineView.of(machine).infrastructureRef();
        if (dataSecret(machine) != null && !reference.isEmpty()) {
            Id id = new Id(
                    String.valueOf(reference.group()),
                    String.valueOf(reference.kind()),
                    String.valueOf(reference.name()));
            data.putIfAbsent(id, new Version(number(machine), machine));
        }
    }

    /**
     * The history of each infrastructure machine, as far as it can be judged: a version counts as without bootstrap data
     * only if a later version of its Machine has it. Until the watch has shown one, versions count as with data.
     */
    public synchronized List<List<Moment>> histories() {
        return histories(false);
    }

    /** As {@link #histories()}, but a Machine whose bootstrap data no watch has shown has none. */
    public synchronized List<List<Moment>> finalHistories() {
        return histories(true);
    }

    private List<List<Moment>> histories(boolean complete) {
        return versions.entrySet().stream()
                .map(entry -> entry.getValue().stream()
                        .map(version -> new Moment(version.object(), dataAt(entry.getKey(), version, complete)))
                        .toList())
                .toList();
    }

    private String dataAt(String uid, Version version, boolean complete) {
        Version found = data.get(ids.get(uid));
        if (found == null) {
            return complete ? "" : "not known yet";
        }
        return found.number() <= version.number()
                ? Optional.ofNullable(dataSecret(found.object())).orElse("")
                : "";
    }

    private static @Nullable String dataSecret(GenericKubernetesResource machine) {
        return Fields.string(machine, "spec", "bootstrap", "dataSecretName");
    }

    private static long number(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }
}
