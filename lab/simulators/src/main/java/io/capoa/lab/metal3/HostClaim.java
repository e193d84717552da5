package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.workload.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Claims a host for a Metal3Machine and releases it. */
final class HostClaim {

    private final Caches.Cache<BareMetalHost> hosts;
    private final Writes writes;

    /** Claims by UID of the Metal3Machine, so that a stale cache does not lead to a second claim. */
    private final Map<String, Key> claimed = new ConcurrentHashMap<>();

    HostClaim(Caches.Cache<BareMetalHost> hosts, Writes writes) {
        this.hosts = hosts;
        this.writes = writes;
    }

    /** The machine's host, claimed if it has none; empty if no host is free. */
    Optional<BareMetalHost> take(WorkingCopy<Metal3Machine> working, Machine machine, Cluster cluster) {
        Metal3Machine metal3Machine = working.read();
        String namespace = metal3Machine.getMetadata().getNamespace();
        String uid = metal3Machine.getMetadata().getUid();
        Key before = claimed.get(uid);
        BareMetalHost known = before == null ? null : hosts.get(before);
        String failureDomain = Objects.requireNonNullElse(
                Fields.string(machine, "spec", "failureDomain"),
                Objects.requireNonNullElse(Fields.string(metal3Machine, "spec", "failureDomain"), ""));
        Optional<BareMetalHost> choice = known != null
                ? Optional.of(known)
                : HostChoice.choose(
                        metal3Machine,
                        failureDomain.isEmpty() ? null : failureDomain,
                        hosts.list(namespace).toList());
        if (choice.isEmpty()) {
            return choice;
        }
        BareMetalHost host = choice.get();
        WorkingCopy<BareMetalHost> claim = new WorkingCopy<>(host);
        claim.set(consumer(metal3Machine), "spec", "consumerRef");
        claim.label(Metal3.CLUSTER_NAME, cluster.getMetadata().getName());
        // A host with an image is being provisioned: CAPM3 never changes the image.
        if (!HostStep.asksForImage(host)) {
            claim.set(image(metal3Machine), "spec", "image");
            claim.set(Fields.any(metal3Machine, "spec", "customDeploy"), "spec", "customDeploy");
            claim.set(working.get("status", "userData"), "spec", "userData");
            claim.set(Fields.any(metal3Machine, "spec", "metaData"), "spec", "metaData");
            claim.set(Fields.any(metal3Machine, "spec", "networkData"), "spec", "networkData");
            String cleaning = Fields.string(metal3Machine, "spec", "automatedCleaningMode");
            if (cleaning != null) {
                claim.set(cleaning, "spec", "automatedCleaningMode");
            }
        }
        claim.set(true, "spec", "online");
        // Until the host is paused and its status is saved.
        claim.set("", "metadata", "annotations", Metal3.BLOCK_MOVE);
        BareMetalHost latest = claim.write(writes);
        claimed.put(uid, Key.of(host));
        return Optional.of(latest);
    }

    /**
     * Pauses the machine's host while the Cluster is paused, and saves its status in an annotation for {@code
     * clusterctl move}; resumes it afterwards.
     */
    void hold(Metal3Machine metal3Machine, boolean paused) {
        hosts.list(metal3Machine.getMetadata().getNamespace())
                .filter(host -> HostChoice.isOf(metal3Machine, host))
                .forEach(host -> {
                    WorkingCopy<BareMetalHost> working = new WorkingCopy<>(host);
                    if (paused && Metal3.annotation(host, Metal3.HOST_PAUSED) == null) {
                        working.set(null, "metadata", "annotations", Metal3.BLOCK_MOVE);
                        working.set(Metal3.PAUSED_BY_CAPM3, "metadata", "annotations", Metal3.HOST_PAUSED);
                        working.set(
                                Json.text(Fields.map(host, "status")), "metadata", "annotations", Metal3.HOST_STATUS);
                    } else if (!paused && Metal3.PAUSED_BY_CAPM3.equals(Metal3.annotation(host, Metal3.HOST_PAUSED))) {
                        working.set(null, "metadata", "annotations", Metal3.HOST_PAUSED);
                        working.set("", "metadata", "annotations", Metal3.BLOCK_MOVE);
                    }
                    if (!working.change().isEmpty()) {
                        writes.patch(host, working.change());
                    }
                });
    }

    /** Deprovisions the host, then releases it; {@code true} when the machine may be deleted. */
    boolean release(Metal3Machine metal3Machine) {
        List<BareMetalHost> own = hosts.list(metal3Machine.getMetadata().getNamespace())
                .filter(h -> HostChoice.isOf(metal3Machine, h))
                .toList();
        Key before = claimed.get(metal3Machine.getMetadata().getUid());
        if (own.isEmpty()) {
            // The host is gone, or the cache is stale: the next event requeues the machine.
            BareMetalHost host = before == null ? null : hosts.get(before);
            if (host != null && Fields.any(host, "spec", "consumerRef") == null) {
                return false;
            }
            claimed.remove(metal3Machine.getMetadata().getUid());
            return true;
        }
        boolean free = true;
        for (BareMetalHost host : own) {
            free &= release(host);
        }
        if (free) {
            claimed.remove(metal3Machine.getMetadata().getUid());
        }
        return free;
    }

    private boolean release(BareMetalHost host) {
        WorkingCopy<BareMetalHost> working = new WorkingCopy<>(host);
        for (String field : List.of("image", "customDeploy", "userData", "metaData", "networkData")) {
            working.set(null, "spec", field);
        }
        working.set(false, "spec", "online");
        boolean idle = switch (Metal3.state(host)) {
            case "provisioning", "provisioned", "deprovisioning" -> false;
            default -> !HostStep.asksForImage(host);
        };
        if (idle || Metal3.isDeleting(host)) {
            working.set(null, "spec", "consumerRef");
            working.set(null, "metadata", "labels", Metal3.CLUSTER_NAME);
            working.set(null, "metadata", "annotations", Metal3.BLOCK_MOVE);
        }
        working.write(writes);
        return idle || Metal3.isDeleting(host);
    }

    private static Map<String, Object> consumer(Metal3Machine metal3Machine) {
        return Map.of(
                "apiVersion",
                "infrastructure.cluster.x-k8s.io/v1beta2",
                "kind",
                "Metal3Machine",
                "name",
                metal3Machine.getMetadata().getName(),
                "namespace",
                metal3Machine.getMetadata().getNamespace());
    }

    /** Renames {@code diskFormat} of a Metal3Machine's image to {@code format} of a BareMetalHost's. */
    private static @Nullable Map<String, Object> image(Metal3Machine metal3Machine) {
        Map<String, Object> image = new TreeMap<>(Fields.map(metal3Machine, "spec", "image"));
        Object format = image.remove("diskFormat");
        if (format != null) {
            image.put("format", format);
        }
        return image.isEmpty() ? null : image;
    }
}
