package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.nodes.WorkloadClusterConnection;
import io.capoa.lab.nodes.WorkloadClusterConnections;
import io.capoa.lab.workload.Json;
import io.fabric8.kubernetes.api.model.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles a Metal3Remediation with strategy Reboot: powers the host off, deletes its Node, powers it on, and waits.
 * The MachineHealthCheck deletes the request of a Machine that is healthy again; after the retries it gives up.
 */
final class Metal3RemediationController {

    private static final String FINALIZER = "metal3remediation.infrastructure.cluster.x-k8s.io";
    private static final String BACKUP = "remediation.metal3.io/node-backup";

    private static final String RUNNING = "Running";
    private static final String WAITING = "Waiting";
    private static final String DELETING = "Deleting machine";
    private static final String FAILED = "Failed";

    private static final int TIMEOUT_SECONDS = 600;
    private static final int RETRY_LIMIT = 1;
    private static final Duration AGAIN = Duration.ofSeconds(1);

    /**
     * What a remediation is about.
     *
     * @param machine its owner
     */
    private record Target(Machine machine, BareMetalHost host, WorkloadClusterConnection workload) {}

    /** The caches that a remediation needs. */
    record Sources(
            Caches.Cache<Metal3Remediation> remediations,
            Caches.Cache<Machine> machines,
            Caches.Cache<Metal3Machine> metal3Machines,
            Caches.Cache<BareMetalHost> hosts,
            Caches.Cache<Cluster> clusters) {}

    private final Sources sources;
    private final WorkloadClusterConnections workloads;
    private final Duration timeout;
    private final Writes writes;

    /** @param timeout replaces the timeout of all strategies; zero does not */
    Metal3RemediationController(
            Sources sources, WorkloadClusterConnections workloads, Duration timeout, Writes writes) {
        this.sources = sources;
        this.workloads = workloads;
        this.timeout = timeout;
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        Metal3Remediation remediation = sources.remediations.get(key);
        if (remediation == null) {
            return null;
        }
        WorkingCopy<Metal3Remediation> working = new WorkingCopy<>(remediation);
        String owner = Metal3.owner(remediation, "Machine");
        Machine machine = owner == null ? null : sources.machines.get(new Key(key.namespace(), owner));
        BareMetalHost host = machine == null ? null : hostOf(machine);
        if (Metal3.isDeleting(remediation)) {
            if (host != null) {
                hold(host, remediation, false);
            }
            working.withoutFinalizer(FINALIZER);
            writes.patch(remediation, working.change());
            return null;
        }
        String cluster = machine == null ? null : Fields.string(machine, "spec", "clusterName");
        WorkloadClusterConnection workload = cluster == null ? null : workloads.of(new Key(key.namespace(), cluster));
        if (machine == null || host == null || cluster == null || workload == null) {
            return AGAIN;
        }
        if (Metal3.isPaused(sources.clusters.get(new Key(key.namespace(), cluster)), remediation)) {
            return null;
        }
        working.finalizer(FINALIZER);
        Duration again = advance(working, new Target(machine, host, workload));
        working.write(writes);
        return again;
    }

    private @Nullable Duration advance(WorkingCopy<Metal3Remediation> working, Target target) {
        String phase = Fields.text(working.read().getAdditionalProperties(), "status", "phase");
        return switch (phase) {
            case "" -> begin(working, target);
            case RUNNING -> reboot(working, target);
            case WAITING -> await(working, target);
            default -> null;
        };
    }

    private static @Nullable Duration begin(WorkingCopy<Metal3Remediation> working, Target target) {
        boolean online = Fields.isTrue(target.host, "spec", "online");
        working.set(online ? RUNNING : FAILED, "status", "phase");
        return null;
    }

    /** Each step waits for the event of the one before: the host is off, its Node is gone. */
    private @Nullable Duration reboot(WorkingCopy<Metal3Remediation> working, Target target) {
        hold(target.host, working.read(), true);
        if (Fields.isTrue(target.host, "status", "poweredOn")) {
            return null;
        }
        // As CAPM3, which reads the Node: it may exist before its event.
        String name = Fields.string(target.machine, "status", "nodeRef", "name");
        Node node = name == null ? null : target.workload.read(name).orElse(null);
        if (node != null) {
            working.set(backup(node), "metadata", "annotations", BACKUP);
            target.workload.delete(node.getMetadata().getName());
            return AGAIN;
        }
        hold(target.host, working.read(), false);
        Integer tries = Fields.integer(working.read(), "status", "retryCount");
        working.set((tries == null ? 0 : tries) + 1, "status", "retryCount");
        working.set(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), "status", "lastRemediated");
        working.set(WAITING, "status", "phase");
        return null;
    }

    private @Nullable Duration await(WorkingCopy<Metal3Remediation> working, Target target) {
        Metal3Remediation remediation = working.read();
        Node node = node(target);
        String backup = Metal3.annotation(remediation, BACKUP);
        if (node != null && backup != null) {
            restore(target.workload, node, backup);
            working.set(null, "metadata", "annotations", BACKUP);
        }
        Duration left = Duration.between(
                Instant.now(),
                Instant.parse(Objects.requireNonNull(Fields.string(remediation, "status", "lastRemediated")))
                        .plus(
                                timeout.isZero()
                                        ? Duration.ofSeconds(strategy(remediation, "timeoutSeconds", TIMEOUT_SECONDS))
                                        : timeout));
        if (left.isPositive()) {
            return left;
        }
        Integer tries = Fields.integer(remediation, "status", "retryCount");
        if (tries != null && tries < strategy(remediation, "retryLimit", RETRY_LIMIT)) {
            working.set(RUNNING, "status", "phase");
            return null;
        }
        giveUp(target);
        working.set(DELETING, "status", "phase");
        return null;
    }

    private void giveUp(Target target) {
        WorkingCopy<Machine> machine = new WorkingCopy<>(target.machine);
        // As CAPM3 does, the deprecated condition alone: owners that read those of v1beta2 never replace the Machine.
        machine.deprecatedCondition("OwnerRemediated", "False", "Warning", "WaitingForRemediation");
        machine.write(writes);
        WorkingCopy<BareMetalHost> host = new WorkingCopy<>(target.host);
        host.set("", "metadata", "annotations", Metal3.UNHEALTHY);
        host.write(writes);
    }

    /** Keeps the host off, or no longer. */
    private void hold(BareMetalHost host, Metal3Remediation remediation, boolean off) {
        WorkingCopy<BareMetalHost> working = new WorkingCopy<>(host);
        working.set(
                off ? "{\"mode\":\"hard\"}" : null,
                "metadata",
                "annotations",
                Metal3.REBOOT + "/metal3-remediation-"
                        + remediation.getMetadata().getUid());
        if (!working.change().isEmpty()) {
            writes.patch(host, working.change());
        }
    }

    private @Nullable BareMetalHost hostOf(Machine machine) {
        String namespace = machine.getMetadata().getNamespace();
        String name = Fields.string(machine, "spec", "infrastructureRef", "name");
        Metal3Machine metal3Machine = name == null ? null : sources.metal3Machines.get(new Key(namespace, name));
        String host = metal3Machine == null ? null : Metal3.annotation(metal3Machine, Metal3.HOST_ANNOTATION);
        return host == null ? null : sources.hosts.get(new Key(namespace, host.substring(host.indexOf('/') + 1)));
    }

    private static @Nullable Node node(Target target) {
        String name = Fields.string(target.machine, "status", "nodeRef", "name");
        return target.workload.nodes().stream()
                .filter(node -> node.getMetadata().getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static String backup(Node node) {
        Map<String, Object> metadata = new TreeMap<>();
        metadata.put("labels", Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of()));
        metadata.put(
                "annotations", Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.of()));
        return Json.text(metadata);
    }

    private static void restore(WorkloadClusterConnection workload, Node node, String backup) {
        try {
            workload.patchMetadata(node, Json.parse(backup));
        } catch (IOException e) {
            throw new UncheckedIOException("annotation " + BACKUP + " is not JSON", e);
        }
    }

    private static int strategy(Metal3Remediation remediation, String field, int usual) {
        return Objects.requireNonNullElse(Fields.integer(remediation, "spec", "strategy", field), usual);
    }
}
