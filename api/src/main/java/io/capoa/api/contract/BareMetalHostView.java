package io.capoa.api.contract;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Read view of a BareMetalHost. */
public record BareMetalHostView(BareMetalHost object) implements ObjectView {

    /** The view; an absent BareMetalHost reads as an empty one. */
    public static BareMetalHostView of(@Nullable BareMetalHost host) {
        return new BareMetalHostView(Objects.requireNonNullElseGet(host, BareMetalHost::new));
    }

    /** Name of the Metal3Machine that uses the host; {@code null} if none does. */
    public @Nullable String consumerName() {
        return Fields.string(object, "spec", "consumerRef", "name");
    }

    public @Nullable String consumerKind() {
        return Fields.string(object, "spec", "consumerRef", "kind");
    }

    public @Nullable String consumerNamespace() {
        return Fields.string(object, "spec", "consumerRef", "namespace");
    }

    /** MAC address of the interface that the host boots from. */
    public @Nullable String bootMacAddress() {
        return Fields.string(object, "spec", "bootMACAddress");
    }

    /** The hints, of whatever form; {@code null} if there are none. */
    public @Nullable Object rootDeviceHints() {
        return Fields.any(object, "spec", "rootDeviceHints");
    }

    /** Whether baremetal-operator runs a deploy method of its deploy ramdisk, whatever image there is. */
    public boolean hasCustomDeploy() {
        return Fields.string(object, "spec", "customDeploy", "method") != null;
    }

    public @Nullable String imageUrl() {
        return Fields.string(object, "spec", "image", "url");
    }

    public boolean isLiveIso() {
        return "live-iso".equals(Fields.string(object, "spec", "image", "format"));
    }

    public boolean isProvisioning() {
        return "provisioning".equals(Fields.string(object, "status", "provisioning", "state"));
    }

    /** Whether it is being provisioned and nothing has failed. */
    public boolean isBeingDeployed() {
        String error = errorMessage();
        return isProvisioning() && (error == null || error.isEmpty());
    }

    public boolean isProvisioned() {
        return "provisioned".equals(Fields.string(object, "status", "provisioning", "state"));
    }

    /** The last error of baremetal-operator; {@code null} if there is none. */
    public @Nullable String errorMessage() {
        return Fields.string(object, "status", "errorMessage");
    }

    public boolean isPoweredOn() {
        return Fields.isTrue(object, "status", "poweredOn");
    }

    /** Whether baremetal-operator reboots the host where it is asked to power it off. */
    public boolean isNeverPoweredOff() {
        return Fields.isTrue(object, "spec", "disablePowerOff");
    }

    /** RFC 3339 time at which the last provisioning ended; {@code null} before. */
    public @Nullable String provisionedAt() {
        return Fields.string(object, "status", "operationHistory", "provision", "end");
    }
}
