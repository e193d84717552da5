package io.capoa.controlplane.observe;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.ConfigFailures;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.watch.CachePruning;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Cache pruning: keeps the fields of foreign objects that this module reads. Changes of other fields do not requeue; a
 * new field that is read must be added here. Fixtures of the unit tests are pruned likewise.
 */
final class PeerPruning {

    private static final Set<String> CLUSTER_STATUS = Set.of("initialization", "failureDomains", "conditions");
    private static final Set<String> CLUSTER_CONDITIONS = Set.of("RemoteConnectionProbe");
    private static final Set<String> MACHINE_STATUS =
            Set.of("conditions", "nodeRef", "nodeInfo", "addresses", "deprecated");
    /** Characters of a message that say why a host is not ready. */
    private static final int BLOCKED_MESSAGE = 300;

    private static final String INFRASTRUCTURE_READY = "InfrastructureReady";
    private static final Set<String> MACHINE_CONDITIONS = Set.of(
            "Ready",
            "Available",
            "UpToDate",
            "Deleting",
            "HealthCheckSucceeded",
            ControlPlaneMachineConditions.OWNER_REMEDIATED,
            INFRASTRUCTURE_READY);

    private PeerPruning() {}

    static Cluster cluster(Cluster cluster) {
        CachePruning.retain(
                cluster.getAdditionalProperties().get("status"), "initialization", Set.of("infrastructureProvisioned"));
        return CachePruning.conditions(CachePruning.status(cluster, CLUSTER_STATUS), CLUSTER_CONDITIONS);
    }

    static Machine machine(Machine machine) {
        if (machine.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec
                && spec.get("bootstrap") instanceof Map<?, ?> bootstrap) {
            bootstrap.remove("dataSecretName");
        }
        Machine pruned = CachePruning.conditions(CachePruning.status(machine, MACHINE_STATUS), MACHINE_CONDITIONS);
        if (pruned.getAdditionalProperties().get("status") instanceof Map<?, ?> status) {
            CachePruning.retain(status, "nodeInfo", Set.of("kubeletVersion"));
            // Read only for what it waits for.
            remove(
                    status.get("conditions"),
                    condition -> INFRASTRUCTURE_READY.equals(condition.get("type"))
                            && Condition.TRUE.equals(condition.get("status")));
            // Metal3's external remediation gives up in the deprecated conditions only.
            if (status.get("deprecated") instanceof Map<?, ?> deprecated
                    && deprecated.get("v1beta1") instanceof Map<?, ?> older) {
                older.keySet().removeIf(field -> !"conditions".equals(field));
                remove(
                        older.get("conditions"),
                        condition -> !ControlPlaneMachineConditions.OWNER_REMEDIATED.equals(condition.get("type")));
            }
        }
        return pruned;
    }

    /** Keeps how a Machine's host is recognised before Cluster API has copied it to the Machine. */
    static GenericKubernetesResource infrastructureMachine(GenericKubernetesResource machine) {
        CachePruning.fields(machine, Set.of("spec", "status"));
        return CachePruning.status(CachePruning.spec(machine, Set.of("providerID")), Set.of("addresses"));
    }

    private static void remove(@Nullable Object conditions, Predicate<Map<?, ?>> which) {
        if (conditions instanceof List<?> list) {
            list.removeIf(condition -> condition instanceof Map<?, ?> fields && which.test(fields));
        }
    }

    /** Keeps the spec of objects whose status is not read. */
    static <R extends GenericKubernetesResource> R specOnly(R object) {
        return CachePruning.fields(object, Set.of("spec"));
    }

    /** Drops progress, passed validations, and URLs that are signed with tokens. */
    static AgentClusterInstall install(AgentClusterInstall install) {
        if (install.getAdditionalProperties().get("status") instanceof Map<?, ?> status) {
            status.remove("progress");
            CachePruning.retain(status, "debugInfo", Set.of("state", "stateInfo"));
        }
        FailedValidation.keepOnly(install);
        return install;
    }

    /**
     * Keeps the conditions that say whether a config's host gets boot media, has registered, failed to install, is powered
     * off, or needs a person: then the beginning of the message. Progress of a host that does well is dropped.
     */
    static OpenshiftAssistedConfig config(OpenshiftAssistedConfig config) {
        OpenshiftAssistedConfigStatus status = config.getStatus();
        List<Condition> read = status == null || status.conditions() == null
                ? List.of()
                : status.conditions().stream()
                        .filter(PeerPruning::isRead)
                        .map(PeerPruning::shortened)
                        .toList();
        config.setStatus(read.isEmpty() ? null : new OpenshiftAssistedConfigStatus(null, null, null, read));
        return config;
    }

    private static boolean isRead(Condition condition) {
        return condition.type().equals(ConfigConditions.HOST_POWERED_OFF)
                || (condition.type().equals(ConfigConditions.AGENT_REGISTERED)
                        && condition.status().equals(Condition.TRUE))
                || (condition.type().equals(ConfigConditions.INFRA_ENV_READY)
                        && ConfigConditions.IMAGE_CREATION_FAILED.equals(condition.reason()))
                || (condition.type().equals(ConfigConditions.INSTALLED)
                        && ConfigConditions.INSTALLATION_FAILED.equals(condition.reason()))
                || ConfigFailures.holdsUp(condition);
    }

    private static Condition shortened(Condition condition) {
        String message = condition.message();
        return !ConfigFailures.holdsUp(condition) || message.codePointCount(0, message.length()) <= BLOCKED_MESSAGE
                ? condition
                : new Condition(
                        condition.type(),
                        condition.status(),
                        condition.reason(),
                        message.substring(0, message.offsetByCodePoints(0, BLOCKED_MESSAGE)) + "…",
                        condition.lastTransitionTime(),
                        condition.observedGeneration());
    }
}
