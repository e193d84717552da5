package io.capoa.controlplane.status;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.ConfigFailures;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.runtime.status.ReportedConditions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Describes the hosts with which an installation does not start, as their configs report it. Hosts that are merely on their
 * way are not among them.
 */
final class BlockedHosts {

    /** Hosts that a message describes. */
    private static final int NAMED = 3;

    private BlockedHosts() {}

    static boolean isBlocked(OpenshiftAssistedConfig config) {
        return blockingCondition(config).isPresent();
    }

    /** One line: the Machines and what is wrong with their hosts; empty if nothing is. */
    static Optional<String> message(List<OpenshiftAssistedConfig> configs) {
        List<OpenshiftAssistedConfig> blocked = configs.stream()
                .filter(BlockedHosts::isBlocked)
                .sorted(Comparator.comparing(config -> config.getMetadata().getName()))
                .toList();
        if (blocked.isEmpty()) {
            return Optional.empty();
        }
        int more = blocked.size() - NAMED;
        return Optional.of(Stream.concat(
                        blocked.stream().limit(NAMED).map(BlockedHosts::line),
                        more > 0 ? Stream.of("%d more hosts are not ready".formatted(more)) : Stream.empty())
                .collect(Collectors.joining("; ")));
    }

    private static String line(OpenshiftAssistedConfig config) {
        String message = blockingCondition(config)
                .map(condition -> condition.message().isEmpty() ? condition.reason() : condition.message())
                .orElse("");
        return InstallFailure.machine(config) + ": " + InstallFailure.line(message);
    }

    private static Optional<Condition> blockingCondition(OpenshiftAssistedConfig config) {
        ReportedConditions reported = ReportedConditions.in(config.getStatus());
        return reported.get(ConfigConditions.READY)
                .filter(ConfigFailures::holdsUp)
                .or(() -> reported.get(ConfigConditions.AGENT_APPROVED).filter(ConfigFailures::holdsUp));
    }
}
