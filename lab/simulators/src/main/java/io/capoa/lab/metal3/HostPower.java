package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.WorkingCopy;
import java.util.Map;
import java.util.Set;

/** Power management of a host without a pending step, as in baremetal-operator ({@code manageHostPower}). */
final class HostPower {

    /** States in which a host can be detached. */
    private static final Set<String> DETACHABLE = Set.of("provisioned", "externally provisioned", "ready", "available");

    private HostPower() {}

    /** Whether the host has the detached annotation and is in a state in which it can be detached. */
    static boolean isDetachable(BareMetalHost host) {
        return Metal3.annotation(host, Metal3.DETACHED) != null && DETACHABLE.contains(Metal3.state(host));
    }

    /**
     * Runs one step. A reboot annotation powers the host off; without a suffix it is removed once the host is off, with
     * a suffix it keeps the host off until it is removed. Then {@code spec.online} decides. A host that may not be powered
     * off is rebooted instead, as long as an annotation is there; only the one without a suffix is then removed.
     */
    static void manage(WorkingCopy<BareMetalHost> working) {
        BareMetalHost host = working.read();
        boolean on = Fields.isTrue(host, "status", "poweredOn");
        boolean provisioned = Metal3.state(host).endsWith("provisioned");
        if (!on && Metal3.annotation(host, Metal3.REBOOT) != null) {
            working.set(null, "metadata", "annotations", Metal3.REBOOT);
            return;
        }
        boolean off = provisioned && isRebootAskedFor(host);
        if (off && Fields.isTrue(host, "spec", "disablePowerOff")) {
            if (Metal3.annotation(host, Metal3.REBOOT) != null) {
                working.set(null, "metadata", "annotations", Metal3.REBOOT);
            }
            working.set(!on, "status", "poweredOn");
            return;
        }
        working.set(!off && Fields.isTrue(host, "spec", "online"), "status", "poweredOn");
    }

    /** Removes reboot annotations of a host that is being provisioned or deprovisioned. */
    static void forgetReboots(WorkingCopy<BareMetalHost> working) {
        Map<String, String> annotations = working.read().getMetadata().getAnnotations();
        if (annotations != null) {
            annotations.keySet().stream()
                    .filter(HostPower::isReboot)
                    .forEach(name -> working.set(null, "metadata", "annotations", name));
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
