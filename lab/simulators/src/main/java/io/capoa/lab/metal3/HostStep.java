package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Delays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The next provisioning step of a host, by the rules of baremetal-operator.
 *
 * @param to the state to enter
 * @param takes delay before the state is entered, or {@code null}
 * @param error {@code errorType} of a failure in this step, or {@code null}
 */
record HostStep(
        String to, Delays.@Nullable Of takes, @Nullable String error) {

    /** The pending step, or {@code null}. */
    static @Nullable HostStep of(BareMetalHost host) {
        boolean deleting = Metal3.isDeleting(host);
        return switch (Metal3.state(host)) {
            case "" -> new HostStep(deleting ? "deleting" : "registering", null, null);
            case "registering" -> deleting ? to("deleting") : registered(host);
            case "inspecting" -> deleting ? to("deleting") : new HostStep("available", null, "inspection error");
            case "ready", "available" ->
                deleting
                        ? to("powering off before delete")
                        : asksForInspection(host) ? to("inspecting") : asksForImage(host) ? to("provisioning") : null;
            case "provisioning" ->
                deleting || !asksForImage(host)
                        ? to("deprovisioning")
                        : new HostStep("provisioned", Delays.Of.PROVISIONING, "provisioning error");
            case "provisioned" ->
                deleting && isDetached(host)
                        ? to("deleting")
                        : deleting || hasOtherImage(host) ? to("deprovisioning") : null;
            case "deprovisioning" -> to(deleting ? "powering off before delete" : "available");
            case "powering off before delete" -> to("deleting");
            default -> null;
        };
    }

    /** Whether the host is detached, so that baremetal-operator ignores it. */
    private static boolean isDetached(BareMetalHost host) {
        return "detached".equals(Fields.string(host, "status", "operationalStatus"));
    }

    private static HostStep registered(BareMetalHost host) {
        boolean inspect = !"disabled".equals(Metal3.annotation(host, Metal3.INSPECT))
                && !"disabled".equals(Fields.string(host, "spec", "inspectionMode"));
        return new HostStep(inspect ? "inspecting" : "available", null, "registration error");
    }

    private static HostStep to(String state) {
        return new HostStep(state, null, null);
    }

    /** Whether it is to be inspected again, as soon as it is available. */
    static boolean asksForInspection(BareMetalHost host) {
        String asked = Metal3.annotation(host, Metal3.INSPECT);
        return asked != null && !asked.equals("disabled");
    }

    static boolean asksForImage(BareMetalHost host) {
        return Fields.string(host, "spec", "image", "url") != null
                || Fields.string(host, "spec", "customDeploy", "method") != null;
    }

    private static boolean hasOtherImage(BareMetalHost host) {
        String wanted = Fields.string(host, "spec", "image", "url");
        String written = Fields.string(host, "status", "provisioning", "image", "url");
        return !asksForImage(host) || !Objects.equals(wanted, written);
    }

    /** Why nothing can be done with the host, or {@code null}: its hardware cannot be read. */
    static @Nullable String hardwareFault(BareMetalHost host) {
        try {
            HostHardware unused = HostHardware.of(host);
            return null;
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Why Ironic finds no disk for a disk image, or {@code null}: it writes the image to one that meets all hints. The only
     * disk of a host of the lab reports neither vendor, model nor serial number.
     */
    static @Nullable String diskFault(BareMetalHost host) {
        Map<String, Object> hints = Fields.map(host, "spec", "rootDeviceHints");
        boolean met = hints.entrySet().stream().allMatch(hint -> switch (hint.getKey()) {
            case "deviceName" -> hint.getValue().equals("/dev/sda");
            case "minSizeGigabytes" ->
                hint.getValue() instanceof Number least && HostHardware.of(host).diskBytes() >= least.longValue() << 30;
            case "rotational" -> hint.getValue().equals(false);
            default -> false;
        });
        return met || "live-iso".equals(Fields.string(host, "spec", "image", "format"))
                ? null
                : "No suitable device was found for deployment using these hints " + hints;
    }

    /** Why the image is invalid, or {@code null}: all but live ISOs and OCI images need a checksum. */
    static @Nullable String imageFault(Map<String, Object> image) {
        String url = String.valueOf(image.getOrDefault("url", ""));
        boolean free = "live-iso".equals(image.get("format")) || url.startsWith("oci://") || image.isEmpty();
        boolean checksum = image.get("checksum") instanceof String s && !s.isEmpty();
        return free || checksum ? null : "image " + url + " has no checksum";
    }
}
