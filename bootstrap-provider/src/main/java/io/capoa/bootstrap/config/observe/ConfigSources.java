package io.capoa.bootstrap.config.observe;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.api.contract.NMStateConfig;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.bootstrap.infraenv.NetworkSettings;
import io.capoa.bootstrap.infrastructure.InfrastructureProvider;
import io.capoa.bootstrap.infrastructure.InfrastructureProviders;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.watch.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Informer caches of the bootstrap provider, with their secondary-to-primary mappers.
 *
 * @param all knows which kinds are not watched, and whether objects of a namespace are missing in the caches
 */
public record ConfigSources(
        Source<Machine> machines,
        ClusterSources ofCluster,
        Source<InfraEnv> infraEnvs,
        Source<Agent> agents,
        Source<NMStateConfig> network,
        Source<Secret> dataSecrets,
        InfrastructureProviders infrastructure,
        EventSources<OpenshiftAssistedConfig> all) {

    /** The kinds of the config's cluster. */
    record ClusterSources(
            Source<Cluster> clusters,
            Source<ClusterDeployment> deployments,
            Source<AgentClusterInstall> installs,
            Source<ControlPlaneRelease> releases) {}

    /** Agents and InfraEnvs by {@code namespace/name} of the InfraEnv's Machine, whose name the InfraEnv has. */
    public static final String BY_MACHINE = InfrastructureProvider.BY_MACHINE;

    /** InfraEnvs by {@code namespace/name} of their config. */
    public static final String BY_CONFIG = "config";

    /** ClusterDeployments by {@code namespace/name} of the Cluster in their label; Clusters by their control plane. */
    static final String BY_CLUSTER = "cluster";

    static final String BY_CONTROL_PLANE = "controlPlane";

    /** Configs whose host is not installed, by their Cluster. */
    private static final String JOINING = "joining";

    /** Machines that are being deleted and have a Node, by {@code namespace/name} of their Cluster. */
    static final String LEAVING = "leaving";

    /** Configs that select NMStateConfigs. */
    private static final String NETWORK = "network";

    /** Configs and NMStateConfigs of all namespaces by a label that the one selects and the other has. */
    static final String NETWORK_LABEL = "networkLabel";

    /** Before a config's name where keys are else Machines' names; no name can have it. */
    private static final String CONFIG_KEY = "config/";

    public static ConfigSources declare(EventSources<OpenshiftAssistedConfig> eventSources) {
        eventSources
                .primaryKey(BY_MACHINE, config -> joined(machineName(config), CONFIG_KEY + name(config)))
                .primaryKey(NETWORK, config -> NetworkSettings.areSelected(config) ? List.of(NETWORK) : List.of())
                .sharedKey(
                        NETWORK_LABEL,
                        config -> NetworkSettings.selectedKey(config).stream().toList())
                .primaryKey(BY_CLUSTER, config -> label(config, Labels.CLUSTER_NAME))
                .primaryKey(
                        JOINING,
                        config ->
                                ConfigObservation.isInstalled(config) ? List.of() : label(config, Labels.CLUSTER_NAME));
        Source<Machine> machines = eventSources
                .on(Machine.class)
                .pruned(ConfigPruning::machine)
                .statusWaits()
                .index(LEAVING, machine -> keys(machine, clusterItLeaves(machine)))
                .enqueues(ConfigSources::configOf)
                .enqueuesByKey(JOINING, ConfigSources::clusterItLeaves)
                .source();
        Source<Cluster> clusters = eventSources
                .on(Cluster.class)
                .pruned(ConfigPruning::cluster)
                .index(BY_CONTROL_PLANE, cluster -> keys(cluster, controlPlane(cluster)))
                .enqueuesByKey(BY_CLUSTER, cluster -> List.of(name(cluster)))
                .source();
        Source<InfraEnv> infraEnvs = eventSources
                .on(InfraEnv.class)
                .pruned(ConfigPruning::infraEnv)
                .index(BY_CONFIG, infraEnv -> keys(infraEnv, label(infraEnv, Labels.CONFIG_NAME)))
                .enqueuesByKey(BY_MACHINE, ConfigSources::configKeys)
                .source();
        InfrastructureProviders infrastructure = InfrastructureProviders.declare(eventSources);
        return new ConfigSources(
                machines,
                ofCluster(eventSources, clusters, new Relevance(machines, infraEnvs, infrastructure)),
                infraEnvs,
                eventSources
                        .on(Agent.class)
                        .pruned(ConfigPruning::agent)
                        .statusWaits(ConfigSources::settingsDependOn)
                        .progressWaits(HostReport::isProgress)
                        .finalizersCount()
                        .index(BY_MACHINE, agent -> keys(agent, label(agent, Labels.INFRA_ENV)))
                        .enqueuesByKey(BY_MACHINE, agent -> configKeys(infraEnvs, agent))
                        .source(),
                eventSources
                        .on(NMStateConfig.class)
                        .optional()
                        .pruned(NetworkSettings::fingerprint)
                        .index(NETWORK_LABEL, NetworkSettings::keys)
                        // One of the namespace that is no longer selected has lost the label.
                        .enqueuesByKey(NETWORK, settings -> List.of(NETWORK))
                        .enqueuesBySharedKey(NETWORK_LABEL, NetworkSettings::keys)
                        .source(),
                eventSources
                        .on(Secret.class)
                        .notAwaited()
                        .labelled(Labels.CONFIG_NAME)
                        .pruned(ConfigPruning::secret)
                        .enqueues(secret -> labelled(secret, Labels.CONFIG_NAME))
                        .source(),
                infrastructure,
                eventSources);
    }

    private static ClusterSources ofCluster(
            EventSources<OpenshiftAssistedConfig> eventSources, Source<Cluster> clusters, Relevance relevance) {
        return new ClusterSources(
                clusters,
                eventSources
                        .on(ClusterDeployment.class)
                        .pruned(ConfigPruning::deployment)
                        .index(BY_CLUSTER, deployment -> keys(deployment, label(deployment, Labels.CLUSTER_NAME)))
                        .enqueuesByKey(BY_CLUSTER, deployment -> clusterNames(clusters, deployment))
                        .source(),
                eventSources
                        .on(AgentClusterInstall.class)
                        .pruned(ConfigPruning::install)
                        .reads((config, install) ->
                                InstallFacts.of(install).readBy(config, relevance.hasInfraEnv(config)))
                        .enqueuesByKey(BY_CLUSTER, install -> clusterNames(clusters, install))
                        .source(),
                eventSources
                        .on(ControlPlaneRelease.class)
                        .optional()
                        .pruned(ControlPlaneRelease::pruned)
                        .reads((config, controlPlane) ->
                                relevance.mayBootLiveIso(config) ? controlPlane.version() : null)
                        .enqueuesByKey(BY_CLUSTER, controlPlane -> clusterNames(clusters, controlPlane))
                        .source());
    }

    /** What decides which changes of its cluster's objects concern a config. */
    private record Relevance(
            Source<Machine> machines, Source<InfraEnv> infraEnvs, InfrastructureProviders infrastructure) {

        boolean hasInfraEnv(OpenshiftAssistedConfig config) {
            return machineName(config).stream()
                    .anyMatch(name -> infraEnvs
                            .get(config.getMetadata().getNamespace(), name)
                            .isPresent());
        }

        /** Whether the host may boot a live ISO, whose release follows the cluster's. */
        boolean mayBootLiveIso(OpenshiftAssistedConfig config) {
            return machineName(config).stream()
                    .flatMap(name -> machines.get(config.getMetadata().getNamespace(), name).stream())
                    .findFirst()
                    .map(machine -> infrastructure.of(machine).isLiveIso())
                    .orElse(true);
        }
    }

    Source<Cluster> clusters() {
        return ofCluster.clusters;
    }

    Source<ClusterDeployment> deployments() {
        return ofCluster.deployments;
    }

    Source<AgentClusterInstall> installs() {
        return ofCluster.installs;
    }

    Source<ControlPlaneRelease> releases() {
        return ofCluster.releases;
    }

    /** An InfraEnv leads to its config by the Machine's name, which it has, and by its label. */
    private static List<String> configKeys(InfraEnv infraEnv) {
        return Stream.concat(
                        Stream.of(name(infraEnv)),
                        label(infraEnv, Labels.CONFIG_NAME).stream().map(CONFIG_KEY::concat))
                .toList();
    }

    /** An Agent leads to a config as its InfraEnv does; by the Machine's name alone when that one is gone. */
    private static List<String> configKeys(Source<InfraEnv> infraEnvs, Agent agent) {
        List<String> names = label(agent, Labels.INFRA_ENV);
        return names.stream()
                .flatMap(name -> infraEnvs.get(agent.getMetadata().getNamespace(), name).stream())
                .findFirst()
                .map(ConfigSources::configKeys)
                .orElse(names);
    }

    /** What an Agent's settings are made from, as long as it takes any. */
    private static List<Object> settingsDependOn(Agent agent) {
        boolean open = AgentFields.isOpen(agent);
        return List.of(open, open ? Fields.map(agent, "status", "inventory") : "");
    }

    private static List<String> machineName(HasMetadata config) {
        return Owner.reference(config)
                .filter(Owner::isMachine)
                .map(owner -> List.of(owner.getName()))
                .orElse(List.of());
    }

    private static Set<ResourceID> configOf(Machine machine) {
        String name = MachineView.of(machine).bootstrap().configRef().name();
        return name != null
                        && "OpenshiftAssistedConfig"
                                .equals(MachineView.of(machine)
                                        .bootstrap()
                                        .configRef()
                                        .kind())
                ? Set.of(new ResourceID(name, machine.getMetadata().getNamespace()))
                : Set.of();
    }

    /** The Cluster of which Cluster API will delete the Machine's Node; empty for a Machine that stays. */
    private static List<String> clusterItLeaves(Machine machine) {
        MachineView view = MachineView.of(machine);
        return machine.getMetadata().getDeletionTimestamp() == null
                        || view.nodeName() == null
                        || view.clusterName() == null
                ? List.of()
                : List.of(view.clusterName());
    }

    /** An installation's object leads to its Cluster by its name, which is the control plane's, or by its label. */
    private static List<String> clusterNames(Source<Cluster> clusters, HasMetadata installObject) {
        List<String> names = new ArrayList<>(label(installObject, Labels.CLUSTER_NAME));
        clusters.byIndex(BY_CONTROL_PLANE, scoped(installObject, name(installObject)))
                .forEach(cluster -> names.add(name(cluster)));
        return names;
    }

    private static List<String> controlPlane(Cluster cluster) {
        String name = ClusterView.of(cluster).controlPlaneRef().name();
        return name == null ? List.of() : List.of(name);
    }

    private static List<String> joined(List<String> keys, String one) {
        return Stream.concat(keys.stream(), Stream.of(one)).toList();
    }

    private static List<String> label(HasMetadata resource, String label) {
        Map<String, String> labels = resource.getMetadata().getLabels();
        @Nullable String value = labels == null ? null : labels.get(label);
        return value == null ? List.of() : List.of(value);
    }

    private static Set<ResourceID> labelled(HasMetadata resource, String label) {
        return label(resource, label).stream()
                .map(value -> new ResourceID(value, resource.getMetadata().getNamespace()))
                .collect(java.util.stream.Collectors.toSet());
    }

    private static List<String> keys(HasMetadata resource, List<String> names) {
        return names.stream().map(name -> scoped(resource, name)).toList();
    }

    public static String scoped(HasMetadata resource, String name) {
        return resource.getMetadata().getNamespace() + "/" + name;
    }

    private static String name(HasMetadata resource) {
        return resource.getMetadata().getName();
    }
}
