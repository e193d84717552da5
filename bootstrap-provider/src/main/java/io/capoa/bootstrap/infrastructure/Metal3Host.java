package io.capoa.bootstrap.infrastructure;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.contract.Metal3MachineView;
import io.capoa.api.rules.disk.RootDeviceHints;
import io.capoa.bootstrap.agent.HostHints;
import io.capoa.bootstrap.agent.HostIdentity;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The BareMetalHost of a Metal3Machine. */
record Metal3Host(Metal3Machine machine, BareMetalHost object) implements Host {

    /** Annotation that keeps the host of a removed Machine off. */
    private static final String KEPT_OFF = Annotations.HOST_REBOOT + "/capoa-removal";

    /** Nothing is lost with the power: the host runs the discovery image and has never answered, or is given up. */
    private static final String HARD = "{\"mode\":\"hard\"}";

    /** Without arguments: the host may be deleted at any time. */
    private static final String NO_ARGUMENTS = "{}";

    HostIdentity identity() {
        String mac = HostIdentity.normalized(view().bootMacAddress());
        return mac.isEmpty()
                ? new HostIdentity.Nothing("BareMetalHost " + name() + " has no spec.bootMACAddress")
                : new HostIdentity.BootMac(
                        mac,
                        "BareMetalHost " + name() + " with bootMACAddress " + mac,
                        "correct spec.bootMACAddress of the BareMetalHost");
    }

    /** A disk image is installed where it is; a live ISO to the disk that the host's owner meant. */
    @Override
    public HostHints hints() {
        return new HostHints(
                object.getMetadata().getName(),
                // Also where the kubelet is to set it: a host that booted a live ISO has no config drive to read it
                // from.
                Collections.singletonMap(
                        Labels.METAL3_UUID, object.getMetadata().getUid()),
                Metal3MachineView.of(machine).isLiveIso()
                        ? RootDeviceHints.of(
                                view().rootDeviceHints(), "spec.rootDeviceHints of BareMetalHost " + name())
                        : null);
    }

    /**
     * Whether assisted-service's bare-metal agent controller looks after the host: it would give it another image, take the
     * host out of Metal3's hands, and approve the Agent with settings of its own.
     */
    @Override
    public Optional<Blocker> otherController() {
        Map<String, String> labels = object.getMetadata().getLabels();
        String infraEnv = labels == null ? null : labels.get(Labels.INFRA_ENV);
        return infraEnv == null
                ? Optional.empty()
                : Optional.of(new Blocker(
                        ConfigConditions.HOST_MANAGED_BY_ASSISTED_SERVICE,
                        "BareMetalHost " + name() + " has label " + Labels.INFRA_ENV + "=" + infraEnv
                                + ", so assisted-service manages the host itself: its Agent is not changed"
                                + " until the label is removed"));
    }

    @Override
    public Optional<String> ignoredSettings() {
        String ignored = Annotations.BMAC_SETTINGS.stream()
                .filter(name -> annotation(name) != null)
                .sorted()
                .collect(Collectors.joining(", "));
        return ignored.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "BareMetalHost " + name() + " has annotation " + ignored + ", which has no effect on a host of"
                                + " a Machine: remove it, and set installerArgs, hostnamePolicy, machineConfigPool or annotation "
                                + Annotations.IGNITION_OVERRIDE + " in the template of the config");
    }

    @Override
    public Optional<Running> running(boolean clusterIsDeleted) {
        return view().isProvisioned() && view().isPoweredOn()
                ? Optional.of(new Running(booted(), annotation(Annotations.REBOOTED_FOR), obstacle(clusterIsDeleted)))
                : Optional.empty();
    }

    @Override
    public Map<String, Object> reboot(String reason) {
        return annotations(Map.of(Annotations.HOST_REBOOT, HARD, Annotations.REBOOTED_FOR, reason));
    }

    /**
     * CAPM3 copies the image to the host once, from a cache that may be older than the Machine's bootstrap data.
     * baremetal-operator provisions a host again when the image changes, but not while it deploys one: that it would record
     * as the new one.
     */
    @Override
    public Map<String, Object> booting(String isoUrl) {
        Metal3MachineView asked = Metal3MachineView.of(machine);
        boolean differs = asked.isLiveIso()
                && isoUrl.equals(asked.imageUrl())
                && view().isLiveIso()
                && !isoUrl.equals(view().imageUrl());
        return differs && !view().isBeingDeployed() && obstacle(false).isEmpty()
                ? Map.of("spec", Map.of("image", Map.of("url", isoUrl)))
                : Map.of();
    }

    /**
     * Sets baremetal-operator's detached annotation on a host that was installed from a live ISO, which would otherwise
     * boot that ISO again at each power-on. Removes it before the host is deprovisioned, because a detached host never is.
     */
    @Override
    public Map<String, Object> detachment(boolean installed, String config) {
        if (!isConsumer()) {
            return Map.of();
        }
        if (isDeleted(machine)) {
            return release();
        }
        boolean detaches = installed
                && Metal3MachineView.of(machine).isLiveIso()
                && view().isProvisioned()
                && annotation(Annotations.HOST_DETACHED) == null
                && !isDeleted(object);
        return detaches
                ? annotations(Map.of(Annotations.HOST_DETACHED, NO_ARGUMENTS, Annotations.DETACHED_FOR, config))
                : Map.of();
    }

    /** Of a host that others have detached, they remove the annotation. */
    @Override
    public Map<String, Object> release() {
        boolean isOthers = view().consumerName() != null && !isConsumer();
        if (isOthers || annotation(Annotations.DETACHED_FOR) == null) {
            return Map.of();
        }
        return annotations(removed());
    }

    private static Map<String, Object> removed() {
        Map<String, Object> removed = new HashMap<>();
        removed.put(Annotations.DETACHED_FOR, null);
        removed.put(Annotations.HOST_DETACHED, null);
        return removed;
    }

    /**
     * Powers the host off by a reboot annotation with a key, which keeps it off; baremetal-operator removes the annotation
     * when it provisions the host again. A host that this provider detached is attached in the same write, because the
     * power of a detached one is not managed. A host that may not be powered off would be rebooted by the annotation, again
     * and again.
     *
     * @param unhealthy whether it is marked in the same write, so that no Machine takes it when it is released
     */
    HostPower powerOff(boolean unhealthy) {
        if (!isConsumer()) {
            // It has been released, and wiped.
            return HostPower.off();
        }
        Map<String, Object> changed = new HashMap<>();
        if (unhealthy && annotation(unhealthyMark()) == null) {
            changed.put(unhealthyMark(), Annotations.UNHEALTHY);
        }
        boolean isAsked = annotation(KEPT_OFF) != null;
        if (view().isNeverPoweredOff()) {
            if (isAsked) {
                changed.put(KEPT_OFF, null);
            }
            return new HostPower(
                    false,
                    annotations(changed),
                    "BareMetalHost %s has spec.disablePowerOff, so it would be rebooted: set it to false"
                            .formatted(name()));
        }
        boolean isOurs = annotation(Annotations.DETACHED_FOR) != null;
        Optional<String> unmanaged = Stream.of(Annotations.HOST_DETACHED, Annotations.HOST_PAUSED)
                .filter(name -> annotation(name) != null && !(isOurs && name.equals(Annotations.HOST_DETACHED)))
                .findFirst();
        if (unmanaged.isPresent()) {
            return HostPower.waiting(
                    "BareMetalHost %s has annotation %s, so its power is not managed: remove the annotation"
                            .formatted(name(), unmanaged.get()));
        }
        if (isAsked && !isOurs && !view().isPoweredOn()) {
            return new HostPower(true, annotations(changed), unhealthy ? reuse() : "");
        }
        String error = view().errorMessage();
        String message = "BareMetalHost " + name() + " is being powered off"
                + (error == null || error.isEmpty() ? "" : "; baremetal-operator reports: " + error);
        if (isOurs) {
            changed.putAll(removed());
        }
        if (!isAsked) {
            changed.put(KEPT_OFF, HARD);
        }
        return new HostPower(false, annotations(changed), message);
    }

    private String unhealthyMark() {
        return Metal3Infrastructure.unhealthyMark(machine);
    }

    private String reuse() {
        return "no Machine takes BareMetalHost %1$s again: when it is repaired, run kubectl annotate baremetalhost -n %2$s %1$s %3$s-"
                .formatted(object.getMetadata().getName(), object.getMetadata().getNamespace(), unhealthyMark());
    }

    private Optional<String> obstacle(boolean clusterIsDeleted) {
        if (!isConsumer()) {
            return Optional.of("its spec.consumerRef does not name Metal3Machine "
                    + machine.getMetadata().getName());
        }
        if (isDeleted(object) || isDeleted(machine) || clusterIsDeleted) {
            return Optional.of("it, its Metal3Machine or its Cluster is being deleted");
        }
        return Stream.of(Annotations.HOST_DETACHED, Annotations.HOST_PAUSED)
                .filter(annotation -> annotation(annotation) != null)
                .findFirst()
                .map(annotation -> "it has annotation " + annotation)
                .or(() -> isBeingRebooted() ? Optional.of("a reboot has been asked for already") : Optional.empty());
    }

    private boolean isBeingRebooted() {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations != null
                && annotations.keySet().stream()
                        .anyMatch(name ->
                                name.equals(Annotations.HOST_REBOOT) || name.startsWith(Annotations.HOST_REBOOT + "/"));
    }

    /** Whether the Metal3Machine is the host's consumer, as CAPM3 compares it. */
    boolean isConsumer() {
        return "Metal3Machine".equals(view().consumerKind())
                && machine.getMetadata().getName().equals(view().consumerName())
                && machine.getMetadata().getNamespace().equals(view().consumerNamespace());
    }

    /** When the host was last provisioned, and so booted what was made for the Machine. */
    private @Nullable Instant booted() {
        String end = view().provisionedAt();
        try {
            return end == null ? null : Instant.parse(end);
        } catch (DateTimeParseException unreadable) {
            return null;
        }
    }

    private @Nullable String annotation(String name) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(name);
    }

    private static Map<String, Object> annotations(Map<String, ?> changed) {
        return changed.isEmpty() ? Map.of() : Map.of("metadata", Map.of("annotations", changed));
    }

    private static boolean isDeleted(HasMetadata resource) {
        return resource.getMetadata().getDeletionTimestamp() != null;
    }

    private BareMetalHostView view() {
        return BareMetalHostView.of(object);
    }

    private String name() {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }
}
