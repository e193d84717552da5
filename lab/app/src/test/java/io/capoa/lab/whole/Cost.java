package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.WriteEffects;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.provider.ProviderMetrics;
import io.capoa.lab.workload.ClientUse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;

/** Writes of both providers for the installation of three control planes and two workers, from the audit log. */
final class Cost {

    /** Writes that are not of a status; workers get their finalizer with a write of its own. */
    private static final Map<String, Long> BOOTSTRAP =
            Map.of("infraenvs", 5L, "secrets", 5L, "agents", 5L, "openshiftassistedconfigs", 2L);

    /** Each Machine is created with its config and infrastructure; the two Events are milestones. */
    private static final Map<String, Long> CONTROL_PLANE = Map.ofEntries(
            Map.entry("openshiftassistedcontrolplanes", 1L),
            Map.entry("secrets", 2L),
            Map.entry("clusterdeployments", 1L),
            Map.entry("clusterimagesets", 1L),
            Map.entry("agentclusterinstalls", 1L),
            Map.entry("machines", 3L),
            Map.entry("machines/status", 3L),
            Map.entry("openshiftassistedconfigs", 3L),
            Map.entry("metal3machines", 3L),
            Map.entry("events", 1L));

    private static final Map<Provider, Long> RECONCILES = Map.of(Provider.BOOTSTRAP, 110L, Provider.CONTROL_PLANE, 50L);
    private static final Map<Provider, Long> RECEIVED =
            Map.of(Provider.BOOTSTRAP, 2_500_000L, Provider.CONTROL_PLANE, 1_500_000L);

    private static final int QUERIES = 18;
    private static final int CONNECTIONS = 4;

    private static final Set<String> OWN = Set.of("openshiftassistedconfigs", "openshiftassistedcontrolplanes");

    private static final Duration DEBOUNCE = Duration.ofMillis(500);
    /** The control plane is initialized, installed, and has a first health of the installed cluster. */
    private static final int MOST_AWAITED = 4;

    private Cost() {}

    /**
     * Asserts that no write is refused, idle, or more than an installation needs.
     *
     * @param log from its beginning until the installation is at rest
     */
    static void assertLow(List<AuditEntry> log, String namespace) {
        List<AuditEntry> writes = log.stream()
                .filter(entry -> entry.isWrite() && entry.concerns(namespace))
                .filter(entry -> Set.of(Provider.BOOTSTRAP.user(), Provider.CONTROL_PLANE.user())
                        .contains(entry.user()))
                .toList();
        assertThat(writes.stream().map(AuditEntry::code)).allMatch(code -> code < 300);
        assertThat(WriteEffects.without(log)).filteredOn(writes::contains).isEmpty();
        assertThat(byKind(writes, Provider.BOOTSTRAP)).isEqualTo(BOOTSTRAP);
        assertThat(byKind(writes, Provider.CONTROL_PLANE)).isEqualTo(CONTROL_PLANE);
        LastingStatuses.assertDebounced(
                writes.stream()
                        .filter(write -> write.user().equals(Provider.CONTROL_PLANE.user())
                                && write.resource().equals("openshiftassistedcontrolplanes")
                                && write.subresource().equals("status"))
                        .toList(),
                DEBOUNCE,
                Cost::isAwaited,
                MOST_AWAITED);
    }

    /**
     * Bounds what does not depend on the machine's pace, or little, a third above what is usual: so that a feature that
     * costs more shows here, in its own commit.
     *
     * @param metrics of the installation
     */
    static void assertBounded(Provider provider, ProviderMetrics metrics) {
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(metrics.reconciles())
                    .as("reconciles, by %s", metrics.triggers())
                    .isLessThanOrEqualTo(RECONCILES.get(provider));
            softly.assertThat(metrics.received())
                    .as("bytes of answers of the API server")
                    .isLessThanOrEqualTo(RECEIVED.get(provider));
        });
    }

    /** Bounds what is asked of a cluster that has just been installed. */
    static void assertBounded(ClientUse use) {
        SoftAssertions.assertSoftly(softly -> {
            softly.assertThat(use.sum()).as("requests: %s", use.requests()).isLessThanOrEqualTo(QUERIES);
            softly.assertThat(use.connections()).as("connections").isLessThanOrEqualTo(CONNECTIONS);
        });
    }

    private static Map<String, Long> byKind(List<AuditEntry> writes, Provider provider) {
        return writes.stream()
                .filter(write -> write.user().equals(provider.user()))
                .filter(write -> !write.subresource().equals("status") || !OWN.contains(write.resource()))
                .collect(Collectors.groupingBy(
                        write -> write.resource() + (write.subresource().isEmpty() ? "" : "/" + write.subresource()),
                        TreeMap::new,
                        Collectors.counting()));
    }

    private static boolean isAwaited(JsonNode before, JsonNode after) {
        return !after.path("initialization").equals(before.path("initialization")) || isComplete(after);
    }

    private static boolean isComplete(JsonNode status) {
        return LastingStatuses.isTrue(status, "Ready")
                && LastingStatuses.condition(status, "InstallSucceeding")
                        .path("reason")
                        .asText()
                        .equals("InstallCompleted");
    }
}
