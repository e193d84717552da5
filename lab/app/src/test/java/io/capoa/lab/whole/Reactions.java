package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.provider.Provider;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** Reactions of the providers to what they wait for during an installation, from the audit log. */
final class Reactions {

    /**
     * One wait.
     *
     * @param objects that wait in the sample
     * @param cause the write of a peer that ends the wait; only the first per object
     * @param given another prerequisite; the wait starts with the later of both
     * @param effect the provider's reaction to the cause
     */
    private record Wait(
            String name,
            int objects,
            Predicate<AuditEntry> cause,
            Predicate<AuditEntry> given,
            BiPredicate<AuditEntry, AuditEntry> effect) {

        Wait(String name, int objects, Predicate<AuditEntry> cause, BiPredicate<AuditEntry, AuditEntry> effect) {
            this(name, objects, cause, entry -> false, effect);
        }
    }

    private static final String BOOTSTRAP = Provider.BOOTSTRAP.user();
    private static final String CONTROL_PLANE = Provider.CONTROL_PLANE.user();

    /** A manager renews its Lease every two seconds. */
    private static final long MOST_HEARTBEATS = 2;

    private static final List<Wait> WAITS = List.of(
            new Wait(
                    "infrastructure ready",
                    1,
                    Reactions::isInfrastructureReady,
                    (c, e) -> is(e, CONTROL_PLANE, "clusterdeployments", "")),
            new Wait(
                    "Machine owns its config",
                    5,
                    e -> is(e, KnownUsers.CLUSTER_API, "openshiftassistedconfigs", ""),
                    e -> is(e, CONTROL_PLANE, "agentclusterinstalls", ""),
                    (c, e) -> is(e, BOOTSTRAP, "infraenvs", "") && named(c, e)),
            new Wait(
                    "InfraEnv has its URLs",
                    5,
                    e -> status(e, "infraenvs").has("isoDownloadURL"),
                    (c, e) -> is(e, BOOTSTRAP, "openshiftassistedconfigs", "status")
                            && named(c, e)
                            && e.object().path("status").has("dataSecretName")),
            new Wait(
                    "agent reported its interfaces",
                    5,
                    e -> is(e, KnownUsers.ASSISTED_SERVICE, "agents", "status")
                            && status(e, "agents").path("inventory").has("interfaces"),
                    (c, e) -> is(e, BOOTSTRAP, "agents", "") && named(c, e)),
            new Wait(
                    "kubeconfig published",
                    1,
                    e -> is(e, KnownUsers.ASSISTED_SERVICE, "agentclusterinstalls", "")
                            && e.object().path("spec").path("clusterMetadata").has("adminKubeconfigSecretRef"),
                    (c, e) -> is(e, CONTROL_PLANE, "secrets", "")),
            new Wait(
                    "API server serves",
                    1,
                    e -> Set.of("finalizing", "installed", "adding-hosts")
                            .contains(status(e, "agentclusterinstalls")
                                    .path("debugInfo")
                                    .path("state")
                                    .asText()),
                    (c, e) -> is(e, CONTROL_PLANE, "openshiftassistedcontrolplanes", "status")
                            && e.object()
                                    .path("status")
                                    .path("initialization")
                                    .path("controlPlaneInitialized")
                                    .asBoolean()),
            new Wait(
                    "Machine ready",
                    3,
                    e -> isTrue(status(e, "machines"), "Ready")
                            && e.object().path("metadata").path("labels").has("cluster.x-k8s.io/control-plane"),
                    (c, e) -> is(e, CONTROL_PLANE, "openshiftassistedcontrolplanes", "status")
                            && e.object().path("status").path("readyReplicas").asInt() > 0));

    private Reactions() {}

    /**
     * Asserts that each cause of an installation of three control planes and two workers ends its wait: the reaction
     * follows before the manager's next but one heartbeat. A stall lasts longer, and a busy machine delays heartbeats too.
     *
     * @param log since the providers were installed
     * @param answer time of the last registry request
     */
    static void assertPrompt(List<AuditEntry> log, Instant answer, String namespace) {
        List<AuditEntry> writes = log.stream()
                .filter(entry -> entry.isWrite() && entry.succeeded())
                .filter(entry -> entry.namespace().equals(namespace))
                .toList();
        for (Provider provider : Provider.values()) {
            assertThat(log)
                    .as("heartbeats of %s", provider)
                    .anyMatch(entry -> is(entry, provider.user(), "leases", ""));
        }
        for (Wait wait : WAITS) {
            List<Long> heartbeats = causes(wait, writes).stream()
                    .map(cause -> heartbeats(log, begin(wait, cause, writes), effect(wait, cause, writes)))
                    .sorted()
                    .toList();
            assertThat(heartbeats).as(wait.name).hasSize(wait.objects);
            assertThat(heartbeats.get(heartbeats.size() / 2)).as(wait.name).isLessThanOrEqualTo(MOST_HEARTBEATS);
        }
        assertThat(heartbeats(log, released(answer, writes), install(writes)))
                .as("release answered")
                .isLessThanOrEqualTo(MOST_HEARTBEATS);
    }

    /** The first for each object. */
    private static List<AuditEntry> causes(Wait wait, List<AuditEntry> writes) {
        Set<String> seen = new HashSet<>();
        return writes.stream()
                .filter(wait.cause)
                .filter(cause -> seen.add(cause.name()))
                .toList();
    }

    private static Instant begin(Wait wait, AuditEntry cause, List<AuditEntry> writes) {
        return writes.stream()
                .filter(wait.given)
                .findFirst()
                .map(AuditEntry::time)
                .filter(cause.time()::isBefore)
                .orElse(cause.time());
    }

    private static AuditEntry effect(Wait wait, AuditEntry cause, List<AuditEntry> writes) {
        return writes.stream()
                .filter(entry -> entry.received().isAfter(cause.received()))
                .filter(entry -> wait.effect.test(cause, entry))
                .findFirst()
                .orElseThrow(() -> new AssertionError(wait.name + ": no reaction to " + cause.uri()));
    }

    /** The AgentClusterInstall needs the registry's answer and the infrastructure. */
    private static Instant released(Instant answer, List<AuditEntry> writes) {
        Instant infrastructure = writes.stream()
                .filter(Reactions::isInfrastructureReady)
                .findFirst()
                .orElseThrow()
                .time();
        return answer.isAfter(infrastructure) ? answer : infrastructure;
    }

    private static AuditEntry install(List<AuditEntry> writes) {
        return writes.stream()
                .filter(entry -> is(entry, CONTROL_PLANE, "agentclusterinstalls", ""))
                .findFirst()
                .orElseThrow();
    }

    /** Renewals of the Lease of the manager that reacts, until it does. */
    private static long heartbeats(List<AuditEntry> log, Instant begin, AuditEntry effect) {
        return log.stream()
                .filter(entry -> is(entry, effect.user(), "leases", ""))
                .filter(entry ->
                        entry.received().isAfter(begin) && entry.received().isBefore(effect.received()))
                .count();
    }

    private static boolean is(AuditEntry entry, String user, String resource, String subresource) {
        return entry.user().endsWith(user)
                && entry.isWrite()
                && entry.resource().equals(resource)
                && entry.subresource().equals(subresource);
    }

    private static boolean named(AuditEntry cause, AuditEntry effect) {
        String name = cause.name().isEmpty()
                ? cause.object().path("metadata").path("name").asText()
                : cause.name();
        return name.equals(effect.name());
    }

    private static boolean isInfrastructureReady(AuditEntry entry) {
        return status(entry, "clusters")
                .path("initialization")
                .path("infrastructureProvisioned")
                .asBoolean();
    }

    private static JsonNode status(AuditEntry entry, String resource) {
        return entry.resource().equals(resource)
                ? entry.object().path("status")
                : com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    }

    private static boolean isTrue(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }
}
