package io.capoa.controlplane.observe;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Machine;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ImageSet;
import io.capoa.controlplane.install.Workers;
import io.capoa.controlplane.machines.Machines;
import io.capoa.controlplane.testing.Objects;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fixture: observations of a control plane with few objects. */
public final class ControlPlaneObservations {

    private ControlPlaneObservations() {}

    public static ControlPlaneObservation of(
            ControlPlaneIdentity identity,
            @Nullable String state,
            @Nullable ClusterImageSet imageSet,
            String... architectures) {
        List<OpenshiftAssistedConfig> configs = new ArrayList<>();
        for (String architecture : architectures) {
            configs.add(Objects.read(
                    OpenshiftAssistedConfig.class,
                    "metadata: {name: c%d}\nspec: {cpuArchitecture: '%s'}".formatted(configs.size(), architecture)));
        }
        return of(identity, state, imageSet, List.of(), configs);
    }

    /** Of an installed control plane. */
    public static ControlPlaneObservation installed(ControlPlaneIdentity identity, Machine... machines) {
        return of(identity, "installed", null, List.of(machines), List.of());
    }

    /** Of an installed control plane. */
    public static ControlPlaneObservation installed(
            ControlPlaneIdentity identity, List<Machine> machines, List<OpenshiftAssistedConfig> configs) {
        return of(identity, "installed", null, machines, configs);
    }

    private static ControlPlaneObservation of(
            ControlPlaneIdentity identity,
            @Nullable String state,
            @Nullable ClusterImageSet imageSet,
            List<Machine> machines,
            List<OpenshiftAssistedConfig> configs) {
        AgentClusterInstall install = state == null
                ? null
                : Objects.read(
                        AgentClusterInstall.class,
                        "metadata: {name: cp}\nspec: {imageSetRef: {name: %s}}\nstatus: {debugInfo: {state: %s}}"
                                .formatted(ImageSet.name(identity), state));
        return of(identity, null, install, imageSet, null, machines, configs);
    }

    /** Without a ClusterImageSet. */
    public static ControlPlaneObservation of(
            ControlPlaneIdentity identity,
            @Nullable Cluster cluster,
            @Nullable AgentClusterInstall install,
            @Nullable Secret kubeconfig,
            List<Machine> machines,
            List<OpenshiftAssistedConfig> configs) {
        return of(identity, cluster, install, null, kubeconfig, machines, configs);
    }

    private static ControlPlaneObservation of(
            ControlPlaneIdentity identity,
            @Nullable Cluster cluster,
            @Nullable AgentClusterInstall install,
            @Nullable ClusterImageSet imageSet,
            @Nullable Secret kubeconfig,
            List<Machine> machines,
            List<OpenshiftAssistedConfig> configs) {
        return new ControlPlaneObservation(
                identity,
                cluster,
                null,
                install,
                ImageSet.name(identity),
                imageSet,
                kubeconfig,
                Machines.of(machines),
                Map.of(),
                configs,
                Workers.none());
    }
}
