package io.capoa.bootstrap.config.report;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus.Host;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.plan.AgentPlan;
import io.capoa.bootstrap.config.plan.ConfigPlan;
import io.capoa.bootstrap.config.plan.HostShutdown;
import io.capoa.bootstrap.infraenv.NetworkSettings;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.manager.Staged;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.Conditions;
import io.capoa.runtime.status.StatusDebouncer;
import io.capoa.runtime.status.StatusReporter;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Computes a config's status: the latch, and conditions for every stage from owner to installed host. */
public final class ConfigReport {

    /** Conditions that Ready summarizes, in the order in which they become True. */
    private static final List<String> STAGES = List.of(
            ConfigConditions.DATA_SECRET_AVAILABLE,
            ConfigConditions.AGENT_REGISTERED,
            ConfigConditions.AGENT_APPROVED,
            ConfigConditions.INSTALLED);

    /** Conditions that depend on the Agent. */
    private static final List<String> AGENT_STAGES =
            List.of(ConfigConditions.AGENT_REGISTERED, ConfigConditions.AGENT_APPROVED, ConfigConditions.INSTALLED);

    /** Statuses that may wait before the debounce grows: those of two small clusters. */
    private static final int TOGETHER = 6;

    private static final int AT_MOST_TIMES = 5;

    private ConfigReport() {}

    /** The debouncer of configs' statuses. It does not delay dataSecretCreated and Ready: other controllers wait for them. */
    public static StatusReporter<OpenshiftAssistedConfigStatus, OpenshiftAssistedConfig> reporter(
            EventRecorder events, Clock clock) {
        var debouncer = new StatusDebouncer<>(
                clock,
                TOGETHER,
                AT_MOST_TIMES,
                status -> conditions(status).stream()
                        .map(c -> List.of(c.type(), c.status(), c.reason(), c.message()))
                        .toList(),
                ConfigPatience::of);
        return new StatusReporter<>(
                OpenshiftAssistedConfig::new, "bootstrap", debouncer, events, ConfigEvents::between, clock);
    }

    static List<Condition> conditions(@Nullable OpenshiftAssistedConfigStatus status) {
        return status == null || status.conditions() == null ? List.of() : status.conditions();
    }

    /** How far the config's host is: its bootstrap data exists, or its Agent. */
    public static int stage(OpenshiftAssistedConfig config) {
        OpenshiftAssistedConfigStatus status = config.getStatus();
        if (isReady(status) || !isLatched(status)) {
            return 0;
        }
        return conditions(status).stream()
                        .anyMatch(c -> c.type().equals(ConfigConditions.AGENT_REGISTERED)
                                && c.status().equals(Condition.TRUE))
                ? Staged.LAST
                : 1;
    }

    /** Whether the host's condition has that reason. */
    public static boolean hasReported(OpenshiftAssistedConfig config, String reason) {
        return conditions(config.getStatus()).stream()
                .anyMatch(c -> c.type().equals(ConfigConditions.INSTALLED)
                        && c.reason().equals(reason));
    }

    static boolean isLatched(@Nullable OpenshiftAssistedConfigStatus status) {
        return status != null
                && status.initialization() != null
                && Boolean.TRUE.equals(status.initialization().dataSecretCreated());
    }

    static boolean isReady(@Nullable OpenshiftAssistedConfigStatus status) {
        return conditions(status).stream()
                .anyMatch(c ->
                        c.type().equals(ConfigConditions.READY) && c.status().equals(Condition.TRUE));
    }

    /**
     * The status of a config that is reconciled.
     *
     * @param checks which failing checks of its host count
     */
    public static OpenshiftAssistedConfigStatus of(
            ConfigObservation seen, ConfigPlan plan, Verdict checks, Clock clock) {
        OpenshiftAssistedConfig config = seen.config();
        Conditions conditions = begin(config, clock).isFalse(ConfigConditions.PAUSED, ConfigConditions.NOT_PAUSED, "");
        set(conditions, ConfigConditions.DATA_SECRET_AVAILABLE, plan.data().blocker());
        set(conditions, ConfigConditions.INFRA_ENV_READY, plan.infraEnvBlocker());
        if (plan.infraEnvBlocker().isEmpty() && seen.discovery().foreignNetwork() > 0) {
            conditions.isTrue(
                    ConfigConditions.INFRA_ENV_READY, ConfigConditions.FOREIGN_NETWORK_SETTINGS, foreignNetwork(seen));
        }
        agent(conditions, plan.agents(), seen, checks);
        ready(conditions);
        HostShutdown.report(conditions, seen);
        return status(
                config,
                plan.data().available(),
                host(config, plan.agents().choice().agent(), conditions),
                conditions);
    }

    /**
     * The host as far as the condition Installed describes it, so that it changes only when the conditions do: it is not
     * worth a write of its own.
     */
    private static @Nullable Host host(OpenshiftAssistedConfig config, @Nullable Agent agent, Conditions conditions) {
        if (conditions.get(ConfigConditions.INSTALLED).map(Condition::status).equals(Optional.of(Condition.TRUE))
                && (agent == null || ConfigObservation.isInstalled(config))) {
            return known(config);
        }
        return agent == null ? null : HostReport.host(agent);
    }

    /** The status of a paused config: unchanged but for the condition Paused. */
    public static OpenshiftAssistedConfigStatus paused(OpenshiftAssistedConfig config, Clock clock) {
        Conditions conditions = begin(config, clock)
                .isTrue(
                        ConfigConditions.PAUSED,
                        ConfigConditions.PAUSED,
                        "The Cluster or the annotation cluster.x-k8s.io/paused asks for it");
        return status(config, false, known(config), keepOthers(config, conditions));
    }

    /** The status of a config that is being deleted. */
    public static OpenshiftAssistedConfigStatus deleting(
            OpenshiftAssistedConfig config, String waitingFor, Clock clock) {
        Conditions conditions = begin(config, clock)
                .isFalse(ConfigConditions.READY, ConfigConditions.DELETING, "Waiting for " + waitingFor);
        return status(config, false, known(config), keepOthers(config, conditions));
    }

    /** The status after a failed write: that condition and Ready are False, the others unchanged. */
    public static OpenshiftAssistedConfigStatus failed(
            OpenshiftAssistedConfig config, String type, Blocker failure, Clock clock) {
        Conditions conditions = begin(config, clock)
                .isFalse(type, failure.reason(), failure.message())
                .isFalse(ConfigConditions.READY, failure.reason(), failure.message());
        return status(config, false, known(config), keepOthers(config, conditions));
    }

    private static void agent(Conditions conditions, AgentPlan plan, ConfigObservation seen, Verdict checks) {
        String node = seen.nodeName();
        Agent agent = plan.choice().agent();
        if (agent == null) {
            // An installed host no longer needs its Agent, so a missing Agent does not matter.
            if (conditions
                    .previous(ConfigConditions.INSTALLED)
                    .map(Condition::status)
                    .filter(Condition.TRUE::equals)
                    .isPresent()) {
                conditions
                        .keep(ConfigConditions.AGENT_REGISTERED)
                        .keep(ConfigConditions.AGENT_APPROVED)
                        .keep(ConfigConditions.INSTALLED);
                return;
            }
            if (node != null) {
                // As after a move to a management cluster whose assisted-service never saw the host.
                for (String stage : AGENT_STAGES) {
                    conditions.isTrue(stage, stage, "Node " + node + " is part of its cluster");
                }
                return;
            }
            AGENT_STAGES.forEach(stage -> set(conditions, stage, plan.blocker()));
            return;
        }
        conditions.isTrue(
                ConfigConditions.AGENT_REGISTERED,
                ConfigConditions.AGENT_REGISTERED,
                "Agent " + agent.getMetadata().getName());
        set(conditions, ConfigConditions.AGENT_APPROVED, plan.blocker());
        var host = seen.infrastructure().host();
        if (plan.blocker().isEmpty() && host != null) {
            host.ignoredSettings()
                    .ifPresent(ignored -> conditions.isTrue(
                            ConfigConditions.AGENT_APPROVED, ConfigConditions.HOST_SETTINGS_IGNORED, ignored));
        }
        if (plan.blocker().isEmpty() && !plan.choice().others().isEmpty()) {
            conditions.isTrue(
                    ConfigConditions.AGENT_APPROVED,
                    ConfigConditions.DUPLICATE_AGENT,
                    "Other hosts booted the media of this Machine and remain unapproved: Agent "
                            + plan.choice().others().stream()
                                    .map(other -> other.getMetadata().getName())
                                    .collect(Collectors.joining(", "))
                            + ". Remove the media from them and delete those Agents: assisted-service does not start an"
                            + " installation while one is unapproved");
        }
        set(conditions, ConfigConditions.INSTALLED, HostReport.blocker(agent, checks, seen.joins()));
    }

    /** Without their names: users of one namespace need not see those of another. */
    private static String foreignNetwork(ConfigObservation seen) {
        return "spec.nmStateConfigLabelSelector selects NMStateConfigs of other namespaces as well (%d), and"
                        .formatted(seen.discovery().foreignNetwork())
                + " assisted-service adds their network settings to what the host boots: select a label that only those of"
                + " namespace " + seen.namespace()
                + " have. An administrator lists them by kubectl get nmstateconfigs -A"
                + " -l '" + NetworkSettings.selectorText(seen.config()) + "'";
    }

    private static void ready(Conditions conditions) {
        for (String stage : STAGES) {
            Condition condition = conditions.get(stage).orElse(null);
            if (condition != null && !condition.status().equals(Condition.TRUE)) {
                conditions.isFalse(ConfigConditions.READY, condition.reason(), condition.message());
                return;
            }
        }
        conditions.isTrue(ConfigConditions.READY, ConfigConditions.READY, "");
    }

    private static void set(Conditions conditions, String type, Optional<Blocker> blocker) {
        blocker.ifPresentOrElse(
                h -> conditions.isFalse(type, h.reason(), h.message()), () -> conditions.isTrue(type, type, ""));
    }

    private static Conditions begin(OpenshiftAssistedConfig config, Clock clock) {
        OpenshiftAssistedConfigStatus before = config.getStatus();
        return Conditions.of(config, before == null ? null : before.conditions(), clock);
    }

    private static Conditions keepOthers(OpenshiftAssistedConfig config, Conditions conditions) {
        OpenshiftAssistedConfigStatus before = config.getStatus();
        if (before != null && before.conditions() != null) {
            before.conditions().forEach(condition -> conditions.keep(condition.type()));
        }
        return conditions;
    }

    private static @Nullable Host known(OpenshiftAssistedConfig config) {
        return config.getStatus() == null ? null : config.getStatus().host();
    }

    private static OpenshiftAssistedConfigStatus status(
            OpenshiftAssistedConfig config, boolean dataAvailable, @Nullable Host host, Conditions conditions) {
        OpenshiftAssistedConfigStatus before = config.getStatus();
        return new OpenshiftAssistedConfigStatus(
                dataAvailable
                        ? new OpenshiftAssistedConfigStatus.Initialization(true)
                        : before == null ? null : before.initialization(),
                dataAvailable ? config.getMetadata().getName() : before == null ? null : before.dataSecretName(),
                host,
                config.getMetadata().getGeneration(),
                conditions.toList());
    }
}
