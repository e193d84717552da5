package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.actors.Draft;
import java.util.Map;
import java.util.Set;

/** The power of a host that is where it should be, as baremetal-operator manages it ({@code manageHostPower}). */
final class HostPower {

    /** In which a host can be detached. */
    private static final Set<String> DETACHABLE = Set.of("provisioned", "externally provisioned", "ready", "available");

    private HostPower() {}

    /** Whether the host is to be let alone, and is in a state in which it can be. */
    static boolean isDetachable(BareMetalHost host) {
        return Metal3.annotation(host, Metal3.DETACHED) != null && DETACHABLE.contains(Metal3.state(host));
    }

    /**
     * One step: a reboot that is asked for takes the power away; the annotation without a key goes once the host is off,
     * those with one keep it off until they are removed; then the host is as {@code spec.online} says.
     */
    static void manage(Draft<BareMetalHost> draft) {
        BareMetalHost host = draft.read();
        boolean on = Fields.isTrue(host, "status", "poweredOn");
        boolean provisioned = Metal3.state(host).endsWith("provisioned");
        if (!on && Metal3.annotation(host, Metal3.REBOOT) != null) {
            draft.set(null, "metadata", "annotations", Metal3.REBOOT);
            return;
        }
        boolean off = provisioned && isRebootAskedFor(host);
        draft.set(!off && Fields.isTrue(host, "spec", "online"), "status", "poweredOn");
    }

    /** A host that is deprovisioned need not be rebooted. */
    static void forgetReboots(Draft<BareMetalHost> draft) {
        Map<String, String> annotations = draft.read().getMetadata().getAnnotations();
        if (annotations != null) {
            annotations.keySet().stream()
                    .filter(HostPower::isReboot)
                    .forEach(name -> draft.set(null, "metadata", "annotations", name));
        }
    }

    private static boolean isRebootAskedFor(BareMetalHost host) {
        Map<String, String> annotations = host.getMetadata().getAnnotations();
        return annotations != null && annotations.keySet().stream().anyMatch(HostPower::isReboot);
    }

    private static boolean isReboot(String annotation) {
        return annotation.equals(Metal3.REBOOT) || annotation.startsWith(Metal3.REBOOT + "/");
    }
}
