package io.capoa.controlplane.install;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.identity.ForeignObject;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Desired AgentClusterInstall.
 *
 * <p>assisted-service rejects changes once the installation has started. From then on only labels and owners are
 * updated, and {@link Started#heldBack} names the fields that the user has changed since.
 */
public sealed interface Installation {

    /** The installation has not started: the object to apply. */
    record Open(AgentClusterInstall install) implements Installation {}

    /**
     * The installation has started.
     *
     * @param metadata merge patch of labels and owners
     * @param heldBack fields of the AgentClusterInstall, sorted, that differ from the spec and can no longer change
     */
    record Started(Map<String, Object> metadata, List<String> heldBack) implements Installation {}

    /** Builds the AgentClusterInstall; it has the control plane's name. */
    static Installation desired(InstallRequest request, @Nullable AgentClusterInstall existing) {
        Map<String, Object> wanted =
                InstallSpec.wanted(request, AgentClusterInstallView.of(existing).spec());
        if (existing != null
                && (request.installed() || InstallState.of(existing).started())) {
            return new Started(metadata(request.identity(), existing), heldBack(wanted, existing, request.overrides()));
        }
        return new Open(
                ForeignObject.of(new AgentClusterInstall(), metadata(request).build(), wanted));
    }

    private static ObjectMetaBuilder metadata(InstallRequest request) {
        ControlPlaneIdentity identity = request.identity();
        ObjectMetaBuilder metadata = new ObjectMetaBuilder()
                .withNamespace(identity.namespace())
                .withName(identity.name())
                .withLabels(labels(identity))
                .withOwnerReferences(identity.owner());
        if (request.overrides() != null) {
            metadata.addToAnnotations(Annotations.ACI_INSTALL_CONFIG_OVERRIDES, request.overrides());
        }
        return metadata;
    }

    private static SortedMap<String, String> labels(ControlPlaneIdentity identity) {
        SortedMap<String, String> labels = identity.labels();
        labels.put(Labels.CONSUMER, Labels.CONSUMER_CONTROL_PLANE);
        return labels;
    }

    private static SortedMap<String, Object> metadata(ControlPlaneIdentity identity, AgentClusterInstall existing) {
        SortedMap<String, Object> metadata = new TreeMap<>();
        metadata.put("labels", labels(identity));
        if (!identity.owns(existing)) {
            List<OwnerReference> owners = new ArrayList<>(existing.getMetadata().getOwnerReferences());
            owners.add(identity.owner());
            metadata.put("ownerReferences", owners);
        }
        return metadata;
    }

    private static List<String> heldBack(
            Map<String, Object> wanted, AgentClusterInstall existing, @Nullable String overrides) {
        Map<String, Object> has = AgentClusterInstallView.of(existing).spec();
        List<String> heldBack = new ArrayList<>();
        String hasOverrides = Annotations.value(existing, Annotations.ACI_INSTALL_CONFIG_OVERRIDES);
        if (!Objects.equals(overrides, hasOverrides)) {
            heldBack.add("annotation " + Annotations.ACI_INSTALL_CONFIG_OVERRIDES);
        }
        InstallSpec.FIELDS.stream()
                .filter(field -> !field.equals(InstallSpec.IMAGE_SET) && !field.equals(InstallSpec.HOLD))
                .filter(field -> differs(field, wanted.get(field), has.get(field)))
                .forEach(heldBack::add);
        return heldBack;
    }

    private static boolean differs(String field, @Nullable Object wanted, @Nullable Object has) {
        return !Objects.equals(ZeroValues.without(field, wanted), ZeroValues.without(field, comparable(wanted, has)));
    }

    /** Of a field that has several writers (networking), only the keys that the provider sets. */
    private static @Nullable Object comparable(@Nullable Object wanted, @Nullable Object has) {
        if (!(wanted instanceof Map<?, ?> desired) || !(has instanceof Map<?, ?> existing)) {
            return has;
        }
        SortedMap<String, Object> shared = new TreeMap<>();
        for (Object key : desired.keySet()) {
            if (existing.get(key) != null) {
                shared.put((String) key, existing.get(key));
            }
        }
        return shared;
    }
}
