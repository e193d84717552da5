package io.capoa.controlplane.machines;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.MachineTemplate;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.identity.ForeignObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Desired Machine of a control plane (Cluster API v1beta2 control plane contract, "machines"). */
public final class ControlPlaneMachine {

    /** assisted-service's role name of a control plane host. */
    private static final String MASTER = "master";

    private ControlPlaneMachine() {}

    public static Machine desired(ControlPlaneIdentity identity, MissingMachines.Missing missing) {
        OpenshiftAssistedControlPlaneSpec controlPlane = identity.controlPlane().getSpec();
        MachineTemplate.Spec template = controlPlane.machineTemplate().spec();
        InfrastructureReference infrastructure = Arbiters.infrastructure(controlPlane, missing.arbiter());
        SortedMap<String, Object> spec = new TreeMap<>();
        spec.put("clusterName", identity.clusterName());
        spec.put(
                "infrastructureRef",
                reference(infrastructure.apiGroup(), InfrastructureMachine.kind(infrastructure), missing.name()));
        spec.put(
                "bootstrap",
                Map.of(
                        "configRef",
                        reference(
                                OpenshiftAssistedConfig.GROUP,
                                HasMetadata.getKind(OpenshiftAssistedConfig.class),
                                missing.name())));
        put(spec, "failureDomain", missing.failureDomain());
        put(spec, "deletion", deletion(template.deletion()));
        put(spec, "readinessGates", readinessGates(template.readinessGates()));
        put(spec, "taints", taints(template.taints()));
        SortedMap<String, String> annotations = identity.templateAnnotations();
        annotations.put(Annotations.BMAC_ROLE, missing.arbiter() ? Arbiters.ROLE : MASTER);
        DeletionHooks.wanted(controlPlane.replicas()).forEach(hook -> annotations.put(hook, ""));
        return ForeignObject.of(
                new Machine(),
                new ObjectMetaBuilder()
                        .withNamespace(identity.namespace())
                        .withName(missing.name())
                        .withLabels(identity.labels())
                        .withAnnotations(annotations)
                        .withOwnerReferences(identity.controller())
                        .build(),
                spec);
    }

    /** {@code Machine.spec.deletion} with the timeouts that are set, in seconds; {@code null} if none is. */
    static @Nullable SortedMap<String, Object> deletion(MachineTemplate.@Nullable Deletion deletion) {
        if (deletion == null) {
            return null;
        }
        SortedMap<String, Object> fields = new TreeMap<>();
        put(fields, "nodeDrainTimeoutSeconds", deletion.nodeDrainTimeoutSeconds());
        put(fields, "nodeVolumeDetachTimeoutSeconds", deletion.nodeVolumeDetachTimeoutSeconds());
        put(fields, "nodeDeletionTimeoutSeconds", deletion.nodeDeletionTimeoutSeconds());
        return fields.isEmpty() ? null : fields;
    }

    private static @Nullable List<SortedMap<String, Object>> readinessGates(
            @Nullable List<MachineTemplate.ReadinessGate> gates) {
        if (gates == null || gates.isEmpty()) {
            return null;
        }
        return gates.stream()
                .map(gate -> {
                    SortedMap<String, Object> fields = new TreeMap<>();
                    fields.put("conditionType", gate.conditionType());
                    put(fields, "polarity", gate.polarity());
                    return fields;
                })
                .toList();
    }

    private static @Nullable List<SortedMap<String, Object>> taints(@Nullable List<MachineTemplate.Taint> taints) {
        if (taints == null || taints.isEmpty()) {
            return null;
        }
        return taints.stream()
                .map(taint -> {
                    SortedMap<String, Object> fields = new TreeMap<>();
                    fields.put("key", taint.key());
                    put(fields, "value", taint.value());
                    fields.put("effect", taint.effect());
                    fields.put("propagation", taint.propagation());
                    return fields;
                })
                .toList();
    }

    private static SortedMap<String, Object> reference(String apiGroup, String kind, String name) {
        return new TreeMap<>(Map.of("apiGroup", apiGroup, "kind", kind, "name", name));
    }

    private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
    }
}
