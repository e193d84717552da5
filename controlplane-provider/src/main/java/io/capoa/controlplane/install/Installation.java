package io.capoa.controlplane.install;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.identity.ForeignObject;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Desired AgentClusterInstall.
 *
 * <p>Once the installation runs assisted-service refuses changes: from then on the object stays as it is, and
 * {@link Desired#heldBack} names the fields that the user has changed since.
 */
public final class Installation {

    private Installation() {}

    /**
     * What to apply and what is left out.
     *
     * @param install the object to apply
     * @param heldBack fields of the AgentClusterInstall, sorted, whose wanted value comes too late
     */
    public record Desired(AgentClusterInstall install, List<String> heldBack) {}

    /**
     * The AgentClusterInstall of a control plane; it has the control plane's name.
     *
     * @param existing the object there is
     * @param deployments MachineDeployments; those of other Clusters and namespaces are not counted
     * @param overrides JSON for the installer's configuration
     */
    public static Desired desired(
            ControlPlaneIdentity identity,
            Cluster cluster,
            @Nullable AgentClusterInstall existing,
            Collection<MachineDeployment> deployments,
            @Nullable String overrides) {
        SortedMap<String, Object> wanted = InstallSpec.wanted(identity, cluster, deployments);
        if (existing == null || !InstallState.of(existing).started()) {
            return new Desired(
                    ForeignObject.of(new AgentClusterInstall(), metadata(identity, overrides), wanted), List.of());
        }
        Map<String, Object> has = Fields.map(existing, "spec");
        SortedMap<String, Object> kept = new TreeMap<>();
        for (String field : InstallSpec.FIELDS) {
            if (has.containsKey(field)) {
                kept.put(field, keptValue(wanted.get(field), has.get(field)));
            }
        }
        Map<String, String> annotations = existing.getMetadata().getAnnotations();
        String keptOverrides = annotations == null ? null : annotations.get(Annotations.ACI_INSTALL_CONFIG_OVERRIDES);
        List<String> heldBack = InstallSpec.FIELDS.stream()
                .filter(field -> !field.equals(InstallSpec.IMAGE_SET))
                .filter(field -> !Objects.equals(wanted.get(field), kept.get(field)))
                .toList();
        return new Desired(
                ForeignObject.of(new AgentClusterInstall(), metadata(identity, keptOverrides), kept), heldBack);
    }

    /** Of a field that others share with us (networking), only the parts that are ours. */
    private static @Nullable Object keptValue(@Nullable Object wanted, @Nullable Object has) {
        if (!(wanted instanceof Map<?, ?> ours) || !(has instanceof Map<?, ?> theirs)) {
            return has;
        }
        SortedMap<String, Object> kept = new TreeMap<>();
        for (Object key : ours.keySet()) {
            if (theirs.get(key) != null) {
                kept.put((String) key, theirs.get(key));
            }
        }
        return kept;
    }

    private static ObjectMeta metadata(ControlPlaneIdentity identity, @Nullable String overrides) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder()
                .withNamespace(identity.namespace())
                .withName(identity.name())
                .withLabels(identity.labels())
                .addToLabels(Labels.CONSUMER, Labels.CONSUMER_CONTROL_PLANE)
                .withOwnerReferences(identity.owner());
        if (overrides != null) {
            metadata.addToAnnotations(Annotations.ACI_INSTALL_CONFIG_OVERRIDES, overrides);
        }
        return metadata.build();
    }
}
