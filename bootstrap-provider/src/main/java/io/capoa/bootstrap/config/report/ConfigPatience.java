package io.capoa.bootstrap.config.report;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.runtime.status.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides how long a config's status is held back, from what is written and what follows. */
final class ConfigPatience {

    /** Debounce of changes of status or reason. */
    private static final Duration STILL = Duration.ofSeconds(1);

    /** Debounce of changes of messages on which a person has to act. */
    private static final Duration WORDS_STILL = Duration.ofSeconds(2);

    /** Debounce of what passes before the bootstrap data exists, which mostly takes seconds; and of messages after the end. */
    private static final Duration PASSING_STILL = Duration.ofSeconds(3);

    /** Reasons on which no person has to act: what they wait for comes by itself. */
    static final Set<String> PASSING = Set.of(
            ConfigConditions.WAITING_FOR_MACHINE,
            ConfigConditions.WAITING_FOR_CLUSTER,
            ConfigConditions.WAITING_FOR_CLUSTER_INFRASTRUCTURE,
            ConfigConditions.WAITING_FOR_ASSISTED_INSTALLER,
            ConfigConditions.WAITING_FOR_INSTALL_COMPLETE,
            ConfigConditions.WAITING_FOR_INFRASTRUCTURE_MACHINE,
            ConfigConditions.WAITING_FOR_INFRA_ENV_TO_BE_READY,
            ConfigConditions.WAITING_FOR_LIVE_ISO_URL,
            ConfigConditions.WAITING_FOR_BARE_METAL_HOST,
            ConfigConditions.WAITING_FOR_CA_CERTIFICATES,
            ConfigConditions.DOWNLOADING_IGNITION,
            ConfigConditions.WAITING_FOR_AGENT,
            ConfigConditions.WAITING_FOR_INVENTORY,
            ConfigConditions.WAITING_FOR_APPROVAL,
            ConfigConditions.WAITING_FOR_INSTALLATION,
            ConfigConditions.INSTALLING,
            ConfigConditions.NOT_PAUSED);

    private ConfigPatience() {}

    /** How long a status is held back that follows another: the longest for the progress of a host, and nothing else. */
    static Patience of(@Nullable OpenshiftAssistedConfigStatus before, OpenshiftAssistedConfigStatus after) {
        if (ConfigReport.isLatched(after) != ConfigReport.isLatched(before)
                || ConfigReport.isReady(after) != ConfigReport.isReady(before)) {
            return Patience.NONE;
        }
        boolean sameReasons = reasons(after).equals(reasons(before));
        List<List<String>> troubles = troubles(after);
        boolean sameTroubles = troubles.equals(troubles(before));
        if (!sameTroubles && !troubles.isEmpty()) {
            return Patience.urgent(sameReasons ? WORDS_STILL : STILL);
        }
        if (before == null) {
            return Patience.of(PASSING_STILL);
        }
        if (!sameTroubles
                || !Objects.equals(after.observedGeneration(), before.observedGeneration())
                || !reason(after, ConfigConditions.PAUSED).equals(reason(before, ConfigConditions.PAUSED))) {
            return Patience.of(STILL);
        }
        if (!ConfigReport.isLatched(after) || ConfigReport.isReady(after)) {
            return Patience.of(PASSING_STILL);
        }
        boolean progress = sameReasons
                || (reason(after, ConfigConditions.INSTALLED).equals(ConfigConditions.INSTALLING)
                        && otherReasons(after).equals(otherReasons(before)));
        return progress ? Patience.LONGEST : Patience.of(STILL);
    }

    /** The conditions on which a person has to act. Ready repeats one of them. */
    private static List<List<String>> troubles(@Nullable OpenshiftAssistedConfigStatus status) {
        return ConfigReport.conditions(status).stream()
                .filter(c -> !c.type().equals(ConfigConditions.READY))
                .filter(ConfigPatience::needsAction)
                .map(c -> List.of(c.type(), c.status(), c.reason(), c.message()))
                .toList();
    }

    private static boolean needsAction(Condition condition) {
        return HostReport.asksForAction(condition.message())
                || (!PASSING.contains(condition.reason())
                        && (!condition.status().equals(Condition.TRUE)
                                || !condition.reason().equals(condition.type())));
    }

    /** Without those that tell how far the installation of the host is. */
    private static List<List<String>> otherReasons(OpenshiftAssistedConfigStatus status) {
        return reasons(status).stream()
                .filter(reason -> !Set.of(ConfigConditions.READY, ConfigConditions.INSTALLED)
                        .contains(reason.getFirst()))
                .toList();
    }

    /** The reason of a condition; empty if it does not exist. */
    private static String reason(OpenshiftAssistedConfigStatus status, String type) {
        return ConfigReport.conditions(status).stream()
                .filter(c -> c.type().equals(type))
                .map(Condition::reason)
                .findFirst()
                .orElse("");
    }

    private static List<List<String>> reasons(@Nullable OpenshiftAssistedConfigStatus status) {
        return ConfigReport.conditions(status).stream()
                .map(c -> List.of(c.type(), c.status(), c.reason()))
                .toList();
    }
}
