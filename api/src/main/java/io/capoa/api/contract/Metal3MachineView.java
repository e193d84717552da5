package io.capoa.api.contract;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Read view of a Metal3Machine. */
public record Metal3MachineView(Metal3Machine object) implements ObjectView {

    private static final String LIVE_ISO = "live-iso";

    /** The view; an absent Metal3Machine reads as an empty one. */
    public static Metal3MachineView of(@Nullable Metal3Machine machine) {
        return new Metal3MachineView(Objects.requireNonNullElseGet(machine, Metal3Machine::new));
    }

    public @Nullable String imageUrl() {
        return Fields.string(object, "spec", "image", "url");
    }

    /** Whether baremetal-operator is to run a deploy method of its deploy ramdisk. */
    public boolean hasCustomDeploy() {
        return Fields.string(object, "spec", "customDeploy", "method") != null;
    }

    /** Whether the image is a live ISO, by {@code diskFormat}, which version v1beta1 calls {@code format}. */
    public boolean isLiveIso() {
        return LIVE_ISO.equals(Fields.string(object, "spec", "image", "diskFormat"))
                || LIVE_ISO.equals(Fields.string(object, "spec", "image", "format"));
    }
}
