package io.capoa.controlplane.testing;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.observe.CachedObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;

/** Reads objects as a user writes them, and keeps of them what the caches do. */
public final class Objects {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private Objects() {}

    /** An object of a kind, from YAML without apiVersion and kind. */
    public static <T extends HasMetadata> T read(Class<T> kind, String yaml) {
        return CachedObjects.pruned(asWritten(kind, yaml));
    }

    /** A Machine that no MachineSet and no control plane made, from YAML without apiVersion and kind. */
    public static Machine readWorker(String yaml) {
        return CachedObjects.prunedWorker(asWritten(Machine.class, yaml));
    }

    private static <T extends HasMetadata> T asWritten(Class<T> kind, String yaml) {
        T object = YAML.unmarshal(
                "apiVersion: %s\nkind: %s\n%s"
                        .formatted(HasMetadata.getApiVersion(kind), HasMetadata.getKind(kind), yaml),
                kind);
        object.getMetadata().setNamespace("ns");
        return object;
    }

    /** The control plane {@code cp} of Cluster {@code one}, with more fields of {@code spec.config}. */
    public static ControlPlaneIdentity identity(String annotations, String config) {
        return identity(annotations, config, "replicas: 3");
    }

    /** The same with other fields of {@code spec}, one to a line. */
    public static ControlPlaneIdentity identity(String annotations, String config, String spec) {
        OpenshiftAssistedControlPlane controlPlane = read(OpenshiftAssistedControlPlane.class, """
                metadata:
                  name: cp
                  uid: 11111111-2222-3333-4444-555555555555
                  generation: 1
                  annotations: %s
                  labels: {team: blue, cluster.x-k8s.io/cluster-name: wrong}
                spec:
                  distributionVersion: 4.20.3
                  %s
                  machineTemplate:
                    metadata: {labels: {tier: cp}, annotations: {note: hello}}
                    spec:
                      infrastructureRef:
                        apiGroup: infrastructure.cluster.x-k8s.io
                        kind: Metal3MachineTemplate
                        name: cp-template
                      deletion: {nodeDrainTimeoutSeconds: 60}
                      readinessGates: [{conditionType: Gate}]
                      taints: [{key: a, effect: NoSchedule, propagation: Always}]
                  config: {baseDomain: lab.example%s}
                """.formatted(
                        annotations, spec.replace("\n", "\n  "), config.isEmpty() ? "" : ", " + config));
        return new ControlPlaneIdentity(controlPlane, "one");
    }

    public static ControlPlaneIdentity identity() {
        return identity("{}", "");
    }

    /** A status with nothing but conditions. */
    public static OpenshiftAssistedControlPlaneStatus status(Condition... conditions) {
        return status("{}", conditions);
    }

    /** The same with other fields, in YAML. */
    public static OpenshiftAssistedControlPlaneStatus status(String fields, Condition... conditions) {
        OpenshiftAssistedControlPlaneStatus status = YAML.unmarshal(fields, OpenshiftAssistedControlPlaneStatus.class);
        return status.with(
                status.readyReplicas(), status.availableReplicas(), status.observedGeneration(), List.of(conditions));
    }
}
