package io.capoa.lab.whole;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.provider.Provider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** Reaction times of the providers, from the audit log. */
final class Waits {

    /**
     * One wait.
     *
     * @param cause the write of a peer that ends the wait; only the first per object
     * @param given another prerequisite; the wait starts with the later of both
     * @param effect the provider's reaction to the cause
     */
    private record Wait(
            String name,
            Predicate<AuditEntry> cause,
            Predicate<AuditEntry> given,
            BiPredicate<AuditEntry, AuditEntry> effect) {

        Wait(String name, Predicate<AuditEntry> cause, BiPredicate<AuditEntry, AuditEntry> effect) {
            this(name, cause, entry -> false, effect);
        }
    }

    private static final String BOOTSTRAP = Provider.BOOTSTRAP.user();
    private static final String CONTROL_PLANE = Provider.CONTROL_PLANE.user();

    /** From a ready control-plane Machine to the control plane's counters. */
    static final String MACHINE_READY = "Machine ready";

    private static final List<Wait> WAITS = List.of(
            new Wait(
                    "infrastructure ready",
                    Waits::isInfrastructureReady,
                    (c, e) -> is(e, CONTROL_PLANE, "clusterdeployments", "")),
            new Wait(
                    "Machine owns its config",
                    e -> is(e, KnownUsers.CLUSTER_API, "openshiftassistedconfigs", ""),
                    e -> is(e, CONTROL_PLANE, "agentclusterinstalls", ""),
                    (c, e) -> is(e, BOOTSTRAP, "infraenvs", "") && named(c, e)),
            new Wait(
                    "InfraEnv has its URLs",
                    e -> status(e, "infraenvs").has("isoDownloadURL"),
                    (c, e) -> is(e, BOOTSTRAP, "openshiftassistedconfigs", "status")
                            && named(c, e)
                            && e.object().path("status").has("dataSecretName")),
            new Wait(
                    "agent reported its interfaces",
                    e -> is(e, KnownUsers.ASSISTED_SERVICE, "agents", "status")
                            && status(e, "agents").path("inventory").has("interfaces"),
                    (c, e) -> is(e, BOOTSTRAP, "agents", "") && named(c, e)),
            new Wait(
                    "kubeconfig published",
                    e -> is(e, KnownUsers.ASSISTED_SERVICE, "agentclusterinstalls", "")
                            && e.object().path("spec").path("clusterMetadata").has("adminKubeconfigSecretRef"),
                    (c, e) -> is(e, CONTROL_PLANE, "secrets", "")),
            new Wait(
                    "API server serves",
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
                    MACHINE_READY,
                    e -> isTrue(status(e, "machines"), "Ready")
                            && e.object().path("metadata").path("labels").has("cluster.x-k8s.io/control-plane"),
                    (c, e) -> is(e, CONTROL_PLANE, "openshiftassistedcontrolplanes", "status")
                            && e.object().path("status").path("readyReplicas").asInt() > 0));

    private Waits() {}

    /** The time between cause and effect of each wait, for every object in the namespaces. */
    static SortedMap<String, List<Duration>> of(List<AuditEntry> log, Set<String> namespaces) {
        List<AuditEntry> writes = log.stream()
                .filter(entry -> entry.isWrite() && entry.succeeded() && namespaces.contains(entry.namespace()))
                .toList();
        SortedMap<String, List<Duration>> waits = new TreeMap<>();
        for (Wait wait : WAITS) {
            Set<String> seen = new HashSet<>();
            for (AuditEntry cause : writes) {
                if (wait.cause.test(cause) && seen.add(cause.namespace() + "/" + cause.name())) {
                    List<AuditEntry> same = writes.stream()
                            .filter(entry -> entry.namespace().equals(cause.namespace()))
                            .toList();
                    Instant begin = same.stream()
                            .filter(wait.given)
                            .findFirst()
                            .map(AuditEntry::time)
                            .filter(cause.time()::isBefore)
                            .orElse(cause.time());
                    same.stream()
                            .filter(entry -> entry.received().isAfter(cause.received()))
                            .filter(entry -> wait.effect.test(cause, entry))
                            .findFirst()
                            .ifPresent(effect -> waits.computeIfAbsent(wait.name, name -> new ArrayList<>())
                                    .add(between(begin, effect.received())));
                }
            }
        }
        return waits;
    }

    /**
     * From the registry's response to the AgentClusterInstall, which also needs the infrastructure.
     *
     * @param answer time of the last registry request
     */
    static Duration release(List<AuditEntry> log, Instant answer, String namespace) {
        List<AuditEntry> same = log.stream()
                .filter(entry -> entry.namespace().equals(namespace) && entry.isWrite() && entry.succeeded())
                .toList();
        Instant infrastructure = same.stream()
                .filter(Waits::isInfrastructureReady)
                .findFirst()
                .orElseThrow()
                .time();
        AuditEntry effect = same.stream()
                .filter(entry -> is(entry, CONTROL_PLANE, "agentclusterinstalls", ""))
                .findFirst()
                .orElseThrow();
        return between(answer.isAfter(infrastructure) ? answer : infrastructure, effect.received());
    }

    static int names() {
        return WAITS.size();
    }

    static Duration median(List<Duration> waits) {
        return waits.stream().sorted().toList().get(waits.size() / 2);
    }

    /** Never negative: the watch event may arrive before the response. */
    private static Duration between(Instant cause, Instant effect) {
        Duration wait = Duration.between(cause, effect);
        return wait.isNegative() ? Duration.ZERO : wait;
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
