package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.Stopwatch;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.capoa.lab.workload.Json;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Simulates baremetal-operator: moves BareMetalHosts through their provisioning states. */
final class BareMetalHostController {

    private static final Duration RETRY = Duration.ofSeconds(2);

    /** Minimum time that a rebooted host stays off, long enough for the simulated host to notice. */
    private static final Duration OFF = Duration.ofMillis(500);

    private final KubernetesClient client;
    private final Caches.Cache<BareMetalHost> hosts;
    private final Stopwatch stopwatch;
    private final Map<String, Instant> wentOff = new ConcurrentHashMap<>();
    private final Writes writes;

    BareMetalHostController(KubernetesClient client, Caches.Cache<BareMetalHost> hosts, Delays delays, Writes writes) {
        this.client = client;
        this.hosts = hosts;
        this.stopwatch = new Stopwatch(delays);
        this.writes = writes;
    }

    @Nullable
    Duration reconcile(Key key) {
        BareMetalHost host = hosts.get(key);
        if (host == null || Metal3.annotation(host, Metal3.HOST_PAUSED) != null) {
            return null;
        }
        WorkingCopy<BareMetalHost> working = new WorkingCopy<>(host);
        String moved = Metal3.annotation(host, Metal3.HOST_STATUS);
        if (moved != null && !Metal3.isDeleting(host)) {
            restore(working, moved);
            return null;
        }
        if (Metal3.isDeleting(host) && Metal3.state(host).equals("deleting")) {
            release(working);
            return null;
        }
        if (!Metal3.isDeleting(host)) {
            working.finalizer(Metal3.HOST_FINALIZER);
        }
        if (!Metal3.isDeleting(host) && HostPower.isDetachable(host)) {
            working.set("detached", "status", "operationalStatus");
            writeChanges(working);
            return null;
        }
        if ("detached".equals(working.get("status", "operationalStatus")) && !Metal3.isDeleting(host)) {
            working.set("OK", "status", "operationalStatus");
        }
        HostStep step = HostStep.of(host);
        Instant off = wentOff.get(host.getMetadata().getUid());
        Duration left = off == null ? Duration.ZERO : OFF.minus(Duration.between(off, Instant.now()));
        if (step == null && left.isPositive()) {
            return left;
        }
        Duration again = step == null ? managePower(working) : advance(working, step);
        writeChanges(working);
        return again;
    }

    /** Reboots the host, or powers it on or off; returns how long it stays off for a reboot, else {@code null}. */
    private @Nullable Duration managePower(WorkingCopy<BareMetalHost> working) {
        String subject = working.read().getMetadata().getUid();
        HostPower.manage(working);
        if (Fields.isTrue(working.read(), "status", "poweredOn") && !working.isTrue("status", "poweredOn")) {
            wentOff.put(subject, Instant.now());
            return OFF;
        }
        wentOff.remove(subject);
        return null;
    }

    /** Takes a provisioning step, or waits for the time that it takes; the requeue delay. */
    private @Nullable Duration advance(WorkingCopy<BareMetalHost> working, HostStep step) {
        BareMetalHost host = working.read();
        Fault fault = fault(host, step);
        Duration again = step.takes() == null ? null : stopwatch.left(step.takes(), host);
        if (fault != null) {
            fail(working, fault);
            return fault.again;
        }
        if (again == null) {
            stopwatch.reset(Delays.Of.PROVISIONING, host);
            enter(working, step.to());
        }
        return again;
    }

    private void release(WorkingCopy<BareMetalHost> working) {
        working.withoutFinalizer(Metal3.HOST_FINALIZER);
        Map<String, Object> change = working.change();
        if (!change.isEmpty()) {
            writes.patch(working.read(), change);
        }
    }

    private void writeChanges(WorkingCopy<BareMetalHost> working) {
        if (!working.statusChange().isEmpty() || !working.change().isEmpty()) {
            working.write(writes);
        }
    }

    /** Restores the status from the annotation that {@code clusterctl move} sets, unless the host has a status. */
    private void restore(WorkingCopy<BareMetalHost> working, String moved) {
        if (Fields.map(working.read(), "status").isEmpty()) {
            try {
                working.set(Json.parse(moved), "status");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        working.set(null, "metadata", "annotations", Metal3.HOST_STATUS);
        working.write(writes);
    }

    private record Fault(
            String type, String message, @Nullable Duration again) {}

    private @Nullable Fault fault(BareMetalHost host, HostStep step) {
        if (step.error() == null) {
            return null;
        }
        String hardware = HostStep.hardwareFault(host);
        if (hardware != null) {
            return new Fault(step.error(), hardware, null);
        }
        if (step.error().equals(Metal3.annotation(host, Metal3.FAIL))) {
            return new Fault(step.error(), step.error() + " requested by annotation " + Metal3.FAIL, null);
        }
        if (!step.to().equals("provisioned")) {
            return null;
        }
        String image = HostStep.imageFault(Fields.map(host, "spec", "image"));
        if (image != null) {
            return new Fault(step.error(), image, null);
        }
        String disk = HostStep.diskFault(host);
        if (disk != null) {
            return new Fault(step.error(), "Image provisioning failed: " + disk, null);
        }
        String name = Fields.string(host, "spec", "userData", "name");
        if (name != null) {
            String namespace = Objects.requireNonNullElse(
                    Fields.string(host, "spec", "userData", "namespace"),
                    host.getMetadata().getNamespace());
            Secret secret =
                    client.secrets().inNamespace(namespace).withName(name).get();
            boolean data = secret != null
                    && secret.getData() != null
                    && (secret.getData().containsKey("userData")
                            || secret.getData().containsKey("value"));
            if (!data) {
                return new Fault(
                        step.error(), "secret " + name + " with user data (key userData or value) not found", RETRY);
            }
        }
        return null;
    }

    private static void fail(WorkingCopy<BareMetalHost> working, Fault fault) {
        boolean known = fault.message.equals(working.get("status", "errorMessage"));
        if (!known) {
            int before = working.get("status", "errorCount") instanceof Number n ? n.intValue() : 0;
            working.set(before + 1, "status", "errorCount");
        }
        working.set("error", "status", "operationalStatus");
        working.set(fault.type, "status", "errorType");
        working.set(fault.message, "status", "errorMessage");
    }

    /** Sets what the host reports in a state. */
    static void enter(WorkingCopy<BareMetalHost> working, String state) {
        BareMetalHost host = working.read();
        working.set("OK", "status", "operationalStatus");
        working.set(null, "status", "errorType");
        working.set("", "status", "errorMessage");
        working.set(0, "status", "errorCount");
        if (working.get("status", "provisioningFailCount") == null) {
            working.set(0, "status", "provisioningFailCount");
        }
        working.set(host.getMetadata().getUid(), "status", "provisioning", "ID");
        working.set(state, "status", "provisioning", "state");
        switch (state) {
            case "inspecting" -> {
                if (HostStep.asksForInspection(host)) {
                    working.set(null, "metadata", "annotations", Metal3.INSPECT);
                }
            }
            case "available" -> {
                working.set(null, "status", "provisioning", "image");
                if (Metal3.state(host).equals("inspecting")) {
                    working.set(InspectedHardware.of(host), "status", "hardware");
                }
            }
            case "provisioned" -> {
                Map<String, Object> image = Fields.map(host, "spec", "image");
                working.set(image.isEmpty() ? null : image, "status", "provisioning", "image");
                working.set(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                        "status",
                        "operationHistory",
                        "provision",
                        "end");
            }
            case "provisioning", "deprovisioning" -> HostPower.forgetReboots(working);
            default -> {}
        }
        boolean off = state.startsWith("depro") || state.startsWith("powering off") || state.equals("deleting");
        working.set(!off && Fields.isTrue(host, "spec", "online"), "status", "poweredOn");
    }
}
