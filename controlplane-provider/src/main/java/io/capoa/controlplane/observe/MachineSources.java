package io.capoa.controlplane.observe;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineGroupView;
import io.capoa.api.contract.MachineSet;
import io.capoa.api.contract.MachineView;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.install.Workers;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.Source;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Event sources of Machines and the objects that create them.
 *
 * @param machines of control planes
 * @param standalone Machines without a MachineSet and control plane
 */
record MachineSources(
        Source<Machine> machines,
        Source<OpenshiftAssistedConfig> configs,
        Source<MachineDeployment> deployments,
        Source<MachineSet> sets,
        Source<Machine> standalone) {

    private static final String CLUSTER = ControlPlaneSources.CLUSTER;
    private static final String STANDALONE = "!%s,!%s".formatted(Labels.CONTROL_PLANE, Labels.SET_NAME);

    /** Declares them; what is read of Machines depends on the installation, and of configs on the Machines too. */
    static MachineSources declare(EventSources<OpenshiftAssistedControlPlane> eventSources, InstallSources install) {
        Source<Machine> machines = eventSources
                .on(Machine.class)
                .pruned(PeerPruning::machine)
                .reads((controlPlane, machine) -> reads(controlPlane, machine, install))
                .statusWaits()
                .labelled(Labels.CONTROL_PLANE)
                .enqueues(ControlPlaneMappers::ownersOrLabelled)
                .source();
        return new MachineSources(
                machines,
                eventSources
                        .on(OpenshiftAssistedConfig.class)
                        .pruned(PeerPruning::config)
                        .reads((controlPlane, config) -> reads(controlPlane, config, machines, install.installs()))
                        .labelled(Labels.CLUSTER_NAME)
                        .enqueuesByKey(CLUSTER, ControlPlaneMappers::clusterLabel)
                        .index(CLUSTER, ControlPlaneMappers::scopedClusterLabel)
                        .source(),
                eventSources
                        .on(MachineDeployment.class)
                        .pruned(PeerPruning::specOnly)
                        .enqueuesByKey(CLUSTER, MachineSources::clusterOf)
                        .index(CLUSTER, deployment -> ControlPlaneMappers.scopedIn(deployment, clusterOf(deployment)))
                        .source(),
                eventSources
                        .on(MachineSet.class)
                        .pruned(PeerPruning::specOnly)
                        .enqueuesByKey(
                                CLUSTER, set -> ControlPlaneMappers.standsAlone(set) ? clusterOf(set) : List.of())
                        .index(CLUSTER, set -> ControlPlaneMappers.scopedIn(set, clusterOf(set)))
                        .source(),
                eventSources
                        .on(Machine.class)
                        .pruned(PeerPruning::specOnly)
                        .named("workers")
                        .labelled(STANDALONE)
                        .enqueuesByKey(CLUSTER, MachineSources::clusterOf)
                        .index(CLUSTER, machine -> ControlPlaneMappers.scopedIn(machine, clusterOf(machine)))
                        .source());
    }

    private static Object reads(OpenshiftAssistedControlPlane controlPlane, Machine machine, InstallSources install) {
        String namespace = machine.getMetadata().getNamespace();
        String name = controlPlane.getMetadata().getName();
        boolean installing = PastInstallation.isMissing(
                controlPlane.getStatus(),
                install.installs().get(namespace, name).orElse(null),
                install.deployments().get(namespace, name).orElse(null));
        return installing ? MachineReads.of(machine) : machine;
    }

    private static ConfigReads reads(
            OpenshiftAssistedControlPlane controlPlane,
            OpenshiftAssistedConfig config,
            Source<Machine> machines,
            Source<AgentClusterInstall> installs) {
        String namespace = config.getMetadata().getNamespace();
        return ConfigReads.of(
                controlPlane,
                config,
                machines.get(namespace, config.getMetadata().getName()).orElse(null),
                InstallState.of(installs.get(
                                        namespace, controlPlane.getMetadata().getName())
                                .orElse(null))
                        .started());
    }

    private static List<String> clusterOf(MachineDeployment deployment) {
        return listOf(MachineGroupView.of(deployment).clusterName());
    }

    private static List<String> clusterOf(MachineSet set) {
        return listOf(MachineGroupView.of(set).clusterName());
    }

    private static List<String> clusterOf(Machine machine) {
        return listOf(MachineView.of(machine).clusterName());
    }

    private static List<String> listOf(@Nullable String name) {
        return name == null ? List.of() : List.of(name);
    }

    /** Objects that request workers of a Cluster. */
    Workers workers(String namespace, String clusterName) {
        String cluster = ControlPlaneMappers.scoped(namespace, clusterName);
        return new Workers(
                deployments.byIndex(CLUSTER, cluster),
                sets.byIndex(CLUSTER, cluster),
                standalone.byIndex(CLUSTER, cluster));
    }

    /** Configs by label, and by the Machines' names: the index does not yet have what this process has just created. */
    List<OpenshiftAssistedConfig> configs(String namespace, String clusterName, List<Machine> machines) {
        Map<String, OpenshiftAssistedConfig> all = new TreeMap<>();
        configs.byIndex(CLUSTER, ControlPlaneMappers.scoped(namespace, clusterName))
                .forEach(config -> all.put(config.getMetadata().getName(), config));
        machines.forEach(machine -> configs.get(namespace, machine.getMetadata().getName())
                .ifPresent(config -> all.put(config.getMetadata().getName(), config)));
        return List.copyOf(all.values());
    }
}
