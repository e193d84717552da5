package io.capoa.controlplane.upgrade;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Fields;
import io.capoa.controlplane.upgrade.ClusterUpgradeState.Operators;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** States of clusters, from the ClusterVersion in YAML. */
public final class ClusterUpgrades {

    /** At rest on 4.20.3, with updates to 4.20.5 and, at a risk, to 4.20.6 and 4.21.1. */
    public static final ClusterUpgradeState AT_4_20_3 = state(atRest(""));

    private ClusterUpgrades() {}

    /** A ClusterVersion at rest on 4.20.3 with more conditions, one a line. */
    static String atRest(String conditions) {
        return """
            spec: {channel: stable-4.20}
            status:
              observedGeneration: 1
              desired: {version: 4.20.3, image: "r@sha256:3"}
              history:
              - {state: Completed, version: 4.20.3, image: "r@sha256:3"}
              availableUpdates:
              - {version: 4.20.5, image: "r@sha256:5"}
              conditionalUpdates:
              - release: {version: 4.21.1, image: "r@sha256:211"}
                risks: [{name: SlowDisks}, {name: OldFirmware}]
                conditions: [{type: Recommended, status: "False"}]
              - release: {version: 4.20.6, image: "r@sha256:6"}
                risks: [{name: SlowDisks}]
                conditions: [{type: Recommended, status: "Unknown"}]
              conditions:
              - {type: Progressing, status: "False"}
            %s""".formatted(conditions.indent(2));
    }

    /** A cluster with this ClusterVersion, without pools. */
    public static ClusterUpgradeState state(String yaml) {
        return state(yaml, List.of(), new AdminGates(new TreeMap<>(), Set.of()));
    }

    static ClusterUpgradeState state(String yaml, List<PoolState> pools, AdminGates gates) {
        return new ClusterUpgradeState("", ClusterVersionState.of(object(yaml)), pools, new Operators(0, 0), gates);
    }

    /** As {@link #state}, with a {@code spec.desiredUpdate} that the provider wrote. */
    static ClusterUpgradeState requested(String yaml) {
        GenericKubernetesResource version = object(yaml);
        Map<String, Object> update = Fields.map(version, "spec", "desiredUpdate");
        ReleaseName release = new ReleaseName(Fields.text(update, "version"), Fields.text(update, "image"));
        version.getMetadata()
                .setAnnotations(Map.of(Annotations.REQUESTED_UPDATE, ClusterVersionState.mark(release, false)));
        return ClusterUpgradeState.of(ClusterVersionState.of(version), List.of());
    }

    private static GenericKubernetesResource object(String yaml) {
        return Serialization.unmarshal(
                "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version, generation: 1}\n"
                        + yaml,
                GenericKubernetesResource.class);
    }
}
