package io.capoa.bootstrap.config.observe;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.rules.disk.InventoryDisk;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.infrastructure.InfrastructureProviders;
import io.capoa.runtime.watch.CachePruning;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cache pruning: keeps the fields of foreign objects that this module reads. Changes of other fields do not requeue; a new
 * field that is read must be added here. Fixtures of the unit tests are pruned likewise.
 */
final class ConfigPruning {

    private static final Set<String> AGENT_CONDITIONS =
            Set.of("Cleanup", "Connected", "Installed", "RequirementsMet", "SpecSynced", "Validated");
    private static final Set<String> MACHINE_ANNOTATIONS = Set.of(Annotations.BMAC_ROLE, Annotations.POWER_OFF_HOST);
    private static final Set<String> INFRASTRUCTURE = Set.of("infrastructureProvisioned");

    private ConfigPruning() {}

    static Cluster cluster(Cluster cluster) {
        CachePruning.spec(cluster, Set.of("paused", "controlPlaneRef"));
        return provisioning(cluster, Set.of("initialization"));
    }

    /** Of a Machine what it refers to, its role, and what is asked for by annotations. */
    static Machine machine(Machine machine) {
        CachePruning.spec(machine, Set.of("clusterName", "bootstrap", "infrastructureRef"));
        CachePruning.retain(machine.getAdditionalProperties().get("spec"), "bootstrap", Set.of("configRef"));
        CachePruning.retain(machine.getAdditionalProperties().get("status"), "nodeRef", Set.of("name"));
        var metadata = machine.getMetadata();
        metadata.setLabels(CachePruning.only(metadata.getLabels(), Set.of(Labels.CONTROL_PLANE)));
        metadata.setAnnotations(CachePruning.only(metadata.getAnnotations(), MACHINE_ANNOTATIONS));
        return InfrastructureProviders.readsProgress(machine)
                ? provisioning(machine, Set.of("initialization", "nodeRef"))
                : CachePruning.status(machine, Set.of("nodeRef"));
    }

    private static <R extends GenericKubernetesResource> R provisioning(R resource, Set<String> status) {
        CachePruning.retain(resource.getAdditionalProperties().get("status"), "initialization", INFRASTRUCTURE);
        return CachePruning.status(resource, status);
    }

    static ClusterDeployment deployment(ClusterDeployment deployment) {
        return CachePruning.spec(CachePruning.fields(deployment, Set.of("spec")), Set.of("clusterInstallRef"));
    }

    /** Of an installation its state once it takes no further host, and that it is complete or rejected. */
    static AgentClusterInstall install(AgentClusterInstall install) {
        boolean decides =
                Prerequisites.isDecidedBy(AgentClusterInstallView.of(install).state());
        CachePruning.fields(install, Set.of("status"));
        CachePruning.retain(
                install.getAdditionalProperties().get("status"), "debugInfo", decides ? Set.of("state") : Set.of());
        return CachePruning.conditions(
                CachePruning.status(install, Set.of("conditions", "debugInfo")), ConfigPruning::isRead);
    }

    private static boolean isRead(Map<?, ?> condition) {
        return ("Completed".equals(condition.get("type")) && Condition.TRUE.equals(condition.get("status")))
                || ("SpecSynced".equals(condition.get("type")) && "False".equals(condition.get("status")));
    }

    /** Of what assisted-service publishes, some URLs of several hundred characters, only what is read. */
    static InfraEnv infraEnv(InfraEnv infraEnv) {
        CachePruning.status(
                infraEnv, Set.of("bootArtifacts", "conditions", "createdTime", "debugInfo", "isoDownloadURL"));
        if (infraEnv.getAdditionalProperties().get("status") instanceof Map<?, ?> status) {
            CachePruning.retain(status, "bootArtifacts", Set.of("discoveryIgnitionURL"));
            CachePruning.retain(status, "debugInfo", Set.of("eventsURL"));
        }
        return CachePruning.conditions(
                infraEnv,
                condition -> "ImageCreated".equals(condition.get("type"))
                        && Condition.FALSE.equals(condition.get("status")));
    }

    /** An inventory is tens of kilobytes, validations no less: only what is read is kept. */
    static Agent agent(Agent agent) {
        CachePruning.status(agent, Set.of("conditions", "debugInfo", "inventory", "progress", "validationsInfo"));
        if (agent.getAdditionalProperties().get("status") instanceof Map<?, ?> status) {
            CachePruning.retain(status, "progress", Set.of("currentStage", "installationPercentage"));
            CachePruning.retain(status, "debugInfo", Set.of("state", "stateInfo", "logsURL"));
            // A disk is chosen as long as the Agent takes changes.
            CachePruning.retain(
                    status,
                    "inventory",
                    AgentFields.isOpen(agent)
                            ? Set.of("hostname", "disks", "interfaces")
                            : Set.of("hostname", "interfaces"));
            keepOfEach(Fields.any(status, "inventory", "interfaces"), Set.of("macAddress"));
            keepOfEach(Fields.any(status, "inventory", "disks"), InventoryDisk.FIELDS);
            keepFailures(status.get("validationsInfo"));
        }
        CachePruning.conditions(agent, AGENT_CONDITIONS);
        var metadata = agent.getMetadata();
        metadata.setLabels(CachePruning.only(metadata.getLabels(), Set.of(Labels.INFRA_ENV)));
        metadata.setAnnotations(CachePruning.only(metadata.getAnnotations(), Set.of(AgentFields.SKIP_SPOKE_CLEANUP)));
        return agent;
    }

    private static void keepOfEach(@Nullable Object entries, Set<String> names) {
        if (entries instanceof List<?> list) {
            list.forEach(entry -> {
                if (entry instanceof Map<?, ?> fields) {
                    fields.keySet().retainAll(names);
                }
            });
        }
    }

    private static void keepFailures(@Nullable Object validations) {
        if (validations instanceof Map<?, ?> groups) {
            groups.values().forEach(group -> {
                if (group instanceof List<?> list) {
                    list.removeIf(validation -> !"failure".equals(Fields.any(validation, "status")));
                }
            });
        }
    }

    static Secret secret(Secret secret) {
        secret.setData(Map.of());
        secret.setStringData(Map.of());
        return secret;
    }
}
