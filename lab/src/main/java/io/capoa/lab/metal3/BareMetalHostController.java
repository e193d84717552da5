package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.actors.Caches;
import io.capoa.lab.actors.Delays;
import io.capoa.lab.actors.Draft;
import io.capoa.lab.actors.Key;
import io.capoa.lab.actors.Stopwatch;
import io.capoa.lab.actors.Writes;
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
        Draft<BareMetalHost> draft = new Draft<>(host);
        String moved = Metal3.annotation(host, Metal3.HOST_STATUS);
        if (moved != null && !Metal3.isDeleting(host)) {
            restore(draft, moved);
            return null;
        }
        if (Metal3.isDeleting(host) && Metal3.state(host).equals("deleting")) {
            release(draft);
            return null;
        }
        if (!Metal3.isDeleting(host)) {
            draft.finalizer(Metal3.HOST_FINALIZER);
        }
        if (!Metal3.isDeleting(host) && HostPower.isDetachable(host)) {
            draft.set("detached", "status", "operationalStatus");
            writeChanges(draft);
            return null;
        }
        if ("detached".equals(draft.get("status", "operationalStatus")) && !Metal3.isDeleting(host)) {
            draft.set("OK", "status", "operationalStatus");
        }
        HostStep step = HostStep.of(host);
        Instant off = wentOff.get(host.getMetadata().getUid());
        Duration left = off == null ? Duration.ZERO : OFF.minus(Duration.between(off, Instant.now()));
        if (step == null && left.isPositive()) {
            return left;
        }
        Duration again = step == null ? managePower(draft) : advance(draft, step);
        writeChanges(draft);
        return again;
    }

    /** Reboots the host, or powers it on or off; returns how long it stays off for a reboot, else {@code null}. */
    private @Nullable Duration managePower(Draft<BareMetalHost> draft) {
        String subject = draft.read().getMetadata().getUid();
        HostPower.manage(draft);
        if (Fields.isTrue(draft.read(), "status", "poweredOn") && !draft.isTrue("status", "poweredOn")) {
            wentOff.put(subject, Instant.now());
            return OFF;
        }
        wentOff.remove(subject);
        return null;
    }

    /** Takes a provisioning step, or waits for the time that it takes; the requeue delay. */
    private @Nullable Duration advance(Draft<BareMetalHost> draft, HostStep step) {
        BareMetalHost host = draft.read();
        String subject = host.getMetadata().getUid();
        Fault fault = fault(host, step);
        Duration again = step.takes() == null ? null : stopwatch.left(step.takes(), subject);
        if (fault != null) {
            fail(draft, fault);
            return fault.again;
        }
        if (again == null) {
            stopwatch.reset(Delays.Of.PROVISIONING, subject);
            enter(draft, step.to());
        }
        return again;
    }

    private void release(Draft<BareMetalHost> draft) {
        draft.withoutFinalizer(Metal3.HOST_FINALIZER);
        Map<String, Object> change = draft.change();
        if (!change.isEmpty()) {
            writes.patch(draft.read(), change);
        }
    }

    private void writeChanges(Draft<BareMetalHost> draft) {
        if (!draft.statusChange().isEmpty() || !draft.change().isEmpty()) {
            draft.write(writes);
        }
    }

    /** Restores the status from the annotation that {@code clusterctl move} sets, unless the host has a status. */
    private void restore(Draft<BareMetalHost> draft, String moved) {
        if (Fields.map(draft.read(), "status").isEmpty()) {
            try {
                draft.set(Json.parse(moved), "status");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        draft.set(null, "metadata", "annotations", Metal3.HOST_STATUS);
        draft.write(writes);
    }

    private record Fault(
            String type, String message, @Nullable Duration again) {}

    private @Nullable Fault fault(BareMetalHost host, HostStep step) {
        if (step.error() == null) {
            return null;
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

    private static void fail(Draft<BareMetalHost> draft, Fault fault) {
        boolean known = fault.message.equals(draft.get("status", "errorMessage"));
        if (!known) {
            int before = draft.get("status", "errorCount") instanceof Number n ? n.intValue() : 0;
            draft.set(before + 1, "status", "errorCount");
        }
        draft.set("error", "status", "operationalStatus");
        draft.set(fault.type, "status", "errorType");
        draft.set(fault.message, "status", "errorMessage");
    }

    private static void enter(Draft<BareMetalHost> draft, String state) {
        BareMetalHost host = draft.read();
        draft.set("OK", "status", "operationalStatus");
        draft.set(null, "status", "errorType");
        draft.set("", "status", "errorMessage");
        draft.set(0, "status", "errorCount");
        if (draft.get("status", "provisioningFailCount") == null) {
            draft.set(0, "status", "provisioningFailCount");
        }
        draft.set(host.getMetadata().getUid(), "status", "provisioning", "ID");
        draft.set(state, "status", "provisioning", "state");
        switch (state) {
            case "available" -> {
                draft.set(null, "status", "provisioning", "image");
                if (Metal3.state(host).equals("inspecting")) {
                    draft.set(Hardware.of(host), "status", "hardware");
                }
            }
            case "provisioned" -> {
                Map<String, Object> image = Fields.map(host, "spec", "image");
                draft.set(image.isEmpty() ? null : image, "status", "provisioning", "image");
                draft.set(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                        "status",
                        "operationHistory",
                        "provision",
                        "end");
            }
            case "deprovisioning" -> HostPower.forgetReboots(draft);
            default -> {}
        }
        boolean off = state.startsWith("depro") || state.startsWith("powering off") || state.equals("deleting");
        draft.set(!off && Fields.isTrue(host, "spec", "online"), "status", "poweredOn");
    }
}
