package io.capoa.controlplane.observe;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.ConfigFailures;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a control plane's decisions read of a config of its Cluster: an update that leaves it equal does not requeue the
 * control plane.
 *
 * @param finalizers of a config that is being deleted
 * @param isOwn whether it is part of the control plane's Machine of its name, or waits to become one's
 * @param machines its owners, where its Machine is named or it is counted by it
 * @param conditions type, status, reason and message of those that are read
 */
public record ConfigReads(
        @Nullable String uid,
        @Nullable String deleted,
        List<String> finalizers,
        @Nullable Map<String, String> labels,
        @Nullable Map<String, String> annotations,
        boolean isOwn,
        List<OwnerReference> machines,
        @Nullable OpenshiftAssistedConfigSpec spec,
        List<String> unreadable,
        List<List<String>> conditions) {

    /** After an installation has started it takes no further host, nor waits for one that is not ready. */
    private static final Set<String> READ_AFTER_START =
            Set.of(ConfigConditions.HOST_POWERED_OFF, ConfigConditions.INSTALLED);

    /**
     * What is read.
     *
     * @param machine the control plane's Machine of the config's name, if there is one
     * @param started whether the installation has started
     */
    public static ConfigReads of(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedConfig config,
            @Nullable Machine machine,
            boolean started) {
        ObjectMeta metadata = config.getMetadata();
        List<Condition> conditions = conditions(config).stream()
                .filter(condition -> !started || READ_AFTER_START.contains(condition.type()))
                .toList();
        boolean named =
                controlPlane.isMarkedForDeletion() || conditions.stream().anyMatch(ConfigReads::isOfAMachine);
        List<OwnerReference> machines = metadata.getOwnerReferences().stream()
                .filter(owner -> HasMetadata.getKind(Machine.class).equals(owner.getKind()))
                .toList();
        boolean ofControlPlane = isOwnedBy(controlPlane, metadata);
        return new ConfigReads(
                metadata.getUid(),
                metadata.getDeletionTimestamp(),
                config.isMarkedForDeletion() ? metadata.getFinalizers() : List.of(),
                metadata.getLabels(),
                metadata.getAnnotations(),
                machine == null ? ofControlPlane && machines.isEmpty() : ofControlPlane || isOwnedBy(machine, metadata),
                named ? machines : List.of(),
                config.getSpec(),
                config.unreadable(),
                conditions.stream()
                        .map(c -> List.of(c.type(), c.status(), c.reason(), c.message()))
                        .toList());
    }

    private static List<Condition> conditions(OpenshiftAssistedConfig config) {
        OpenshiftAssistedConfigStatus status = config.getStatus();
        return status == null || status.conditions() == null ? List.of() : status.conditions();
    }

    /** Whether a message says what is wrong with the host of which Machine. */
    private static boolean isOfAMachine(Condition condition) {
        return ConfigFailures.holdsUp(condition) || condition.type().equals(ConfigConditions.INSTALLED);
    }

    private static boolean isOwnedBy(HasMetadata owner, ObjectMeta config) {
        String uid = owner.getMetadata().getUid();
        return config.getOwnerReferences().stream()
                .anyMatch(reference -> reference.getUid().equals(uid));
    }
}
