package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineSet;
import io.capoa.lab.controller.WorkingCopy;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The desired MachineSet of a MachineDeployment. */
final class MachineSetTemplate {

    /** Fields that Cluster API propagates in place. */
    private static final List<String> IN_PLACE = List.of("deletion", "minReadySeconds", "readinessGates", "taints");

    /** The name, which depends on all fields that are not propagated in place. */
    String name(MachineDeployment deployment) {
        Map<String, Object> replaced = new TreeMap<>(Fields.map(deployment, "spec", "template", "spec"));
        IN_PLACE.forEach(replaced::remove);
        return Names.of(deployment.getMetadata().getName(), sorted(replaced));
    }

    MachineSet of(MachineDeployment deployment, int replicas) {
        MachineSet set = new MachineSet();
        Map<String, String> labels = new TreeMap<>();
        Fields.map(deployment, "spec", "template", "metadata", "labels")
                .forEach((k, v) -> labels.put(k, String.valueOf(v)));
        labels.put(Contract.CLUSTER_NAME, Listings.clusterKey(deployment).name());
        labels.put(Contract.DEPLOYMENT_NAME, deployment.getMetadata().getName());
        Map<String, String> annotations = new TreeMap<>();
        if (deployment.getMetadata().getAnnotations() != null) {
            annotations.putAll(deployment.getMetadata().getAnnotations());
            annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        }
        set.setMetadata(new ObjectMetaBuilder()
                .withName(name(deployment))
                .withNamespace(deployment.getMetadata().getNamespace())
                .withLabels(labels)
                .withAnnotations(annotations)
                .withFinalizers(Contract.MACHINE_SET_FINALIZER)
                .withOwnerReferences(Contract.controller(deployment))
                .build());
        Map<String, Object> spec = new LinkedHashMap<>();
        for (String field : List.of("clusterName", "selector", "template", "deletion", "machineNaming")) {
            Object value = Fields.any(deployment, "spec", field);
            if (value != null) {
                spec.put(field, value);
            }
        }
        spec.put("replicas", replicas);
        set.setAdditionalProperties(Map.of("spec", spec));
        return set;
    }

    /** Updates replicas and in-place fields of an existing MachineSet. */
    WorkingCopy<MachineSet> align(WorkingCopy<MachineSet> working, MachineDeployment deployment, int replicas) {
        working.set(replicas, "spec", "replicas");
        working.set(Fields.any(deployment, "spec", "deletion"), "spec", "deletion");
        for (String field : IN_PLACE) {
            working.set(Fields.any(deployment, "spec", "template", "spec", field), "spec", "template", "spec", field);
        }
        return working;
    }

    private static String sorted(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((k, v) -> sorted.put(String.valueOf(k), sorted(v)));
            return sorted.toString();
        }
        return String.valueOf(value);
    }
}
